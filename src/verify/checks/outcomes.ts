/** What a failure looks like. */
import { readAssistantError } from "../../frames/native.ts";
import { type Check, checkOf } from "../check.ts";
import { limited, refused, signedOut } from "../experiments/failures.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { failedAs, primaryOf } from "./judge.ts";

export const OUTCOME_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "failure.verdict",
      title: "an API failure is a result with is_error, the API's status and exit code 1",
      relies: "a failed run is taken for a success",
    },
    refused,
    (record) => {
      const { result, finding } = primaryOf(record);
      const errors = record.frames.map(readAssistantError).filter((error) => error !== null);
      return firstFinding(
        () => finding,
        () => expectSame("is_error of the result after status 403", result?.isError, true),
        () => expectSame("api_error_status of the result", result?.apiErrorStatus, 403),
        () =>
          expectThat(
            errors.length > 0 && errors[0]?.error !== null,
            "no assistant event says what error it was",
          ),
      );
    },
  ),
  checkOf(
    {
      id: "failure.refused",
      title: "a refused key is read as authentication_required",
      relies: "people are not told to log in",
    },
    refused,
    (record) => failedAs(record, { code: "authentication_required" }),
  ),
  checkOf(
    {
      id: "failure.limited",
      title: "a rate limit is read as usage_limited",
      relies: "people are not told that a limit was reached",
    },
    limited,
    (record) => failedAs(record, { code: "usage_limited" }),
  ),
  checkOf(
    {
      id: "failure.signed_out",
      title: "without a login nothing is asked, and it is read as authentication_required",
      relies: "people are not told to log in",
    },
    signedOut,
    ({ record, requests }) =>
      firstFinding(
        () => expectSame("without a login: requests to the model", requests.length, 0),
        () => failedAs(record, { code: "authentication_required" }),
      ),
  ),
];
