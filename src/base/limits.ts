/**
 * Every bound of the program in one place, unit in the name, reason beside it.
 *
 * @module
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The version of the wire protocols between our own processes. */
export const WIRE_VERSION = 1;

/** A native frame is buffered up to here, counted before its newline. */
export const MAX_FRAME_BYTES = 1 * MIB;
/** A discarded frame may go on to here: one screenshot read makes 1.3 MB (measured), video more. */
export const MAX_DISCARDED_FRAME_BYTES = 64 * MIB;
/** A discarded frame of which no byte arrives for this long is a fault, not a slow frame. */
export const DISCARDED_FRAME_STALL_MS = 2_000;

/** Events kept per run. */
export const MAX_RETAINED_EVENTS = 256;
/** Bytes of events kept per run. */
export const MAX_RETAINED_EVENT_BYTES = 256 * KIB;
/** One event larger than this is kept as an omitted marker: half of the retained bytes. */
export const MAX_EVENT_BYTES = MAX_RETAINED_EVENT_BYTES / 2;
/** The final event is kept apart up to here. */
export const MAX_FINAL_EVENT_BYTES = 128 * KIB;
/** The end of the native stderr that is kept. */
export const MAX_STDERR_TAIL_BYTES = 64 * KIB;
/** How much of the native stderr is handed on as it comes; then a line says so. Nothing is queued beyond it. */
export const MAX_FORWARDED_STDERR_BYTES = 1 * MIB;
/** The end of the native stderr that a settled value shows. */
export const MAX_SHOWN_STDERR_BYTES = 8 * KIB;
/** Follow-up results kept per run (the last ones). */
export const MAX_FOLLOWUPS = 16;
/** Text of one follow-up result. */
export const MAX_FOLLOWUP_TEXT_BYTES = 4 * KIB;
/** Permission denials listed in a settled value; all are counted. */
export const MAX_LISTED_DENIALS = 16;
/** One listed denial's input, as JSON. */
export const MAX_DENIAL_INPUT_BYTES = 1 * KIB;
/** How much of a malformed line is quoted. */
export const QUOTED_LINE_BYTES = 200;

/** Runs retained, settled ones included. */
export const MAX_RETAINED_RUNS = 32;
/** Runs that are active or whose clean-up is unconfirmed. */
export const MAX_ACTIVE_RUNS = 4;
/** A run's deadline, armed at its reservation. */
export const DEFAULT_TIMEOUT_SECONDS = 600;
/** The largest deadline. */
export const MAX_TIMEOUT_SECONDS = 1_800;
/** The longest wait of one result or events call. */
export const MAX_WAIT_SECONDS = 50;

/** The version probe of a run, all its checks together. */
export const VERSION_CHECK_MS = 5_000;
/** What the version probe may print. */
export const MAX_VERSION_OUTPUT_BYTES = 64 * KIB;

/**
 * After SIGTERM the CLI stops its own tools and saves the conversation: 1.1 to 1.6 s measured with a
 * tool running, 44 ms without.
 */
export const TERM_GRACE_MS = 2_500;
/** Then SIGTERM to what is still there, outside the native group too. */
export const STRAY_TERM_GRACE_MS = 1_000;
/** The whole ladder, SIGKILL rounds included. */
export const CLEANUP_DEADLINE_MS = 8_000;
/** How long the adapter waits past that for the supervisor's receipt before it looks for itself. */
export const RECEIPT_GRACE_MS = 2_000;

/** After the exit, stdout is read until it is quiet for this long ... */
export const DRAIN_QUIET_MS = 150;
/** ... but not longer than this: a stranger can hold it open for ever. */
export const DRAIN_MAX_MS = 3_000;

/** One receipt line from the supervisor. */
export const MAX_RECEIPT_BYTES = 512 * KIB;
/**
 * The job line to the supervisor: a message of up to 10 MiB, whose quotes are escaped a second time, arguments and
 * environment.
 */
export const MAX_JOB_BYTES = 24 * MIB;

/**
 * One argument on Linux: MAX_ARG_STRLEN is 131,072 bytes with the terminator (measured: 131,071 works,
 * one more is E2BIG).
 */
export const MAX_ARGUMENT_BYTES = 131_071;

/** One MCP message in either direction, counted before the newline. */
export const MAX_MESSAGE_BYTES = 1 * MIB;
/** One structured tool value. */
export const MAX_VALUE_BYTES = 512 * KIB;
/** The result text in a tool's text content. */
export const MAX_DIGEST_TEXT_BYTES = 48 * KIB;
/** MCP requests in flight. */
export const MAX_IN_FLIGHT_REQUESTS = 16;
/** A string request id. */
export const MAX_REQUEST_ID_CHARS = 256;
/** A peer that takes nothing for this long is gone. */
export const PEER_STALL_MS = 5_000;
/** A page of events. */
export const MAX_PAGE_EVENTS = 256;
/** Events in a page when the caller does not say. */
export const DEFAULT_PAGE_EVENTS = 128;
/** The smallest byte bound of a page. */
export const MIN_PAGE_BYTES = 1_024;
/** The largest byte bound of a page, and its default. */
export const MAX_PAGE_BYTES = 196_608;
/** Rows of the work resource. */
export const MAX_WORK_ROWS = 1_024;
/** How often a waiting call reports progress while nothing changes, when the caller gave a progress token. */
export const PROGRESS_INTERVAL_MS = 5_000;
/** The least time between two reports of progress: a run can change what it does many times a second. */
export const PROGRESS_GAP_MS = 1_000;
/** Everything a connection's end may take: the clean-up ladder, its receipt, and a little. */
export const SHUTDOWN_MS = CLEANUP_DEADLINE_MS + RECEIPT_GRACE_MS + 2_000;

/** Tools lent to one turn: an agent has tens; the API takes hundreds. */
export const MAX_LENT_TOOLS = 256;
/** A tool's name as the CLI shows it to the model, `mcp__tools__` included: the API refuses longer names. */
export const MAX_TOOL_NAME_CHARS = 64;
/** A tool's description. */
export const MAX_TOOL_DESCRIPTION_BYTES = 16 * KIB;
/** All lent tools as they are listed: names, descriptions and schemas. */
export const MAX_TOOL_LIST_BYTES = 2 * MIB;
/** Calls of lent tools that run at once; the CLI starts at most 10 (read in the executable). */
export const MAX_LENT_CALLS = 64;
/** How long one call of a lent tool may take when nobody says otherwise. */
export const DEFAULT_TOOL_TIMEOUT_MS = 600_000;
/** The longest such time: a day. */
export const MAX_TOOL_TIMEOUT_MS = 86_400_000;
/**
 * Text of one tool result. The CLI shows the model at most 500,000 characters of a tool that asks for it; what is longer
 * goes to a file that a model without tools for files cannot read.
 */
export const MAX_TOOL_RESULT_CHARS = 400_000;
/** Default of that bound: a tenth of a usual context. */
export const DEFAULT_TOOL_RESULT_CHARS = 80_000;
/** Base64 of one picture in a tool result: the API refuses more than 5 MB. */
export const MAX_TOOL_IMAGE_CHARS = 5_000_000;
/** Content blocks of one tool result. */
export const MAX_TOOL_RESULT_BLOCKS = 100;
/** A request to the bridge: the arguments of one call. */
export const MAX_BRIDGE_BODY_BYTES = 4 * MIB;
/** Sessions of the bridge; one CLI opens one, and another after a lost connection. */
export const MAX_BRIDGE_SESSIONS = 8;
/** How often a stream of the bridge that is waiting says that it is alive. */
export const BRIDGE_KEEP_ALIVE_MS = 5_000;
/**
 * Events of a turn kept for a reader that pauses: days of talk. The process goes on meanwhile, since it gives up on an
 * output that nobody reads (measured).
 */
export const MAX_HELD_EVENT_BYTES = 64 * MIB;
/** The same while nobody has come to read, who may never come. */
export const MAX_EARLY_EVENT_BYTES = 4 * MIB;
/** How long answers of the bridge may take to be sent before its connections are cut. */
export const BRIDGE_CLOSE_MS = 1_000;

/** An event file is read up to here; a run of an hour with streamed text makes some ten MiB. */
export const MAX_REPORT_INPUT_BYTES = 2 * 1024 * MIB;
/** An event of a file that a report still reads: a picture makes 1.3 MB (measured). */
export const MAX_REPORT_EVENT_BYTES = 8 * MIB;
/** A file that is one JSON value, such as a settled run, is read up to here. */
export const MAX_REPORT_VALUE_BYTES = 16 * MIB;
/** Text of one part of a report: an answer, a tool's input, its result. */
export const MAX_REPORT_TEXT_CHARS = 64 * KIB;
/** All text of a report as HTML; browsers open a page of this size without waiting. */
export const MAX_REPORT_PAGE_CHARS = 24 * MIB;
/** What is still shown of a text when the page is full. */
export const MAX_REPORT_EXCERPT_CHARS = 160;
/** Parts of the conversation in a report. */
export const MAX_REPORT_ENTRIES = 60_000;
/** Model calls that a report's timeline tells apart; the rest are one. */
export const MAX_REPORT_SPANS = 60_000;
/** Rows of a report's timeline; neighbours share one when there are more. */
export const MAX_REPORT_ROWS = 240;
/** How deep a report nests sub-agents. The CLI itself allows five levels. */
export const MAX_REPORT_DEPTH = 6;
/** Names, such as those of tools and event types, in a report. */
export const MAX_REPORT_NAME_CHARS = 120;
/** An id in a report; the CLI's have some thirty characters. */
export const MAX_REPORT_ID_CHARS = 256;
/** Rows of a report's lists: denials, types, models, servers. */
export const MAX_REPORT_LIST = 100;
