/**
 * Headless Chromium over the DevTools protocol, for tests and screenshots.
 *
 * Measured: under root, in a container without user namespaces, this build starts with `--no-sandbox --no-zygote`, and
 * answers over its WebSocket in a second; its own `--screenshot` never ends there.
 *
 * @module
 */
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { installTools } from "../native/install_tools.ts";

/** What the DevTools protocol answers or reports. Its shapes are the protocol's affair. */
// deno-lint-ignore no-explicit-any -- a protocol with a thousand shapes
export type Anything = any;

/** An event of the protocol. */
export interface ProtocolEvent {
  readonly method: string;
  readonly params: Anything;
}

/** A browser that runs. */
export interface Browser extends AsyncDisposable {
  /** Its process, which has children. */
  readonly pid: number;
  /** Opens an empty page. */
  page(options?: PageOptions): Promise<BrowserPage>;
}

/** How a page is seen. */
export interface PageOptions {
  /** CSS pixels. @default {1280} */
  readonly width?: number;
  /** CSS pixels. @default {900} */
  readonly height?: number;
  /** Device pixels for a CSS pixel. @default {1} */
  readonly scale?: number;
  readonly isDark?: boolean;
  /** A touch screen, with the layout of one. */
  readonly isMobile?: boolean;
}

/** A page of a browser. */
export interface BrowserPage {
  /** Everything the browser reported about it, in order: requests, console lines, dialogs, exceptions. */
  readonly events: readonly ProtocolEvent[];
  /** Calls the protocol. @throws {Error} with what the browser says. */
  send(method: string, params?: Anything): Promise<Anything>;
  /** Opens an address and waits until it is loaded. */
  goto(url: string): Promise<void>;
  /** The value of an expression in the page. @throws {Error} when it throws. */
  evaluate(expression: string): Promise<Anything>;
  /** A picture as PNG: of what is in view, or of the whole page. */
  screenshot(options?: { readonly isWhole?: boolean }): Promise<Uint8Array<ArrayBuffer>>;
}

const PACKAGE = "@sparticuz/chromium";

/**
 * Absolute path of the unpacked browser's folder; unpacks it the first time (3 s, 220 MB).
 *
 * @throws {Error} On anything but Linux on x64, for which alone the package has a browser.
 */
export async function chromiumFolder(): Promise<string> {
  const { os, arch } = Deno.build;
  if (os !== "linux" || arch !== "x86_64") {
    throw new Error(`headless Chromium is packed for Linux on x64, and this is ${os} on ${arch}`);
  }
  const tools = await installTools();
  const folder = `${tools.folder}/chromium`;
  if (await exists(folder)) return folder;
  using lock = await Deno.open(`${tools.folder}/chromium.lock`, { create: true, write: true });
  await lock.lock(true);
  if (await exists(folder)) return folder;
  const staging = `${folder}-staging`;
  if (await exists(staging)) await Deno.remove(staging, { recursive: true });
  await Deno.mkdir(staging);
  const packed = (name: string) => tools.file(PACKAGE, `bin/${name}.br`);
  for (const name of ["chromium", "al2023.tar", "fonts.tar"]) {
    const target = createWriteStream(`${staging}/${name}`);
    await pipeline(createReadStream(packed(name)), createBrotliDecompress(), target);
    if (name.endsWith(".tar")) await untar(`${staging}/${name}`, staging);
  }
  await Deno.chmod(`${staging}/chromium`, 0o755);
  await Deno.writeTextFile(`${staging}/fonts.conf`, fontsConf(`${folder}/fonts`));
  await Deno.rename(staging, folder);
  return folder;
}

/** The system's fonts, where it has some, and then the one that comes with the browser. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir>${folder}</dir>
</fontconfig>
`;
}

async function untar(path: string, folder: string): Promise<void> {
  const args = ["-xf", path, "-C", folder, "--no-same-owner"];
  const { success, stderr } = await new Deno.Command("tar", { args }).output();
  if (!success) throw new Error(`tar of ${path}: ${new TextDecoder().decode(stderr)}`);
  await Deno.remove(path);
}

/** Starts a browser with a fresh profile in `home`, a folder of the caller's. */
export async function startChromium(home: string): Promise<Browser> {
  const folder = await chromiumFolder();
  const child = new Deno.Command(`${folder}/chromium`, {
    args: [
      "--headless=shell",
      "--no-sandbox",
      "--no-zygote",
      "--disable-gpu",
      "--disable-webgl",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--no-first-run",
      "--no-pings",
      "--font-render-hinting=none",
      "--hide-scrollbars",
      `--user-data-dir=${home}/profile`,
      "--remote-debugging-port=0",
      "about:blank",
    ],
    clearEnv: true,
    env: {
      HOME: home,
      TMPDIR: home,
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      LD_LIBRARY_PATH: `${folder}/lib`, // for systems without them
      FONTCONFIG_FILE: `${folder}/fonts.conf`,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const url = await debuggerUrl(child);
  const wire = await openWire(url);
  return {
    pid: child.pid,
    page: (options = {}) => openPage(wire, options),
    async [Symbol.asyncDispose]() {
      await wire.call("Browser.close", {}).catch(() => {});
      wire.close();
      await child.status;
    },
  };
}

/** The address that it prints when it is ready. Its standard error is read on, so that it never blocks. */
function debuggerUrl(child: Deno.ChildProcess): Promise<string> {
  const ready = Promise.withResolvers<string>();
  (async () => {
    let said = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      said = (said + decoder.decode(chunk, { stream: true })).slice(-20_000);
      const url = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (url !== undefined) ready.resolve(url);
    }
    ready.reject(new Error(`Chromium ended before it was ready: ${said}`));
  })();
  return ready.promise;
}

interface Wire {
  call(method: string, params: Anything, sessionId?: string): Promise<Anything>;
  listen(sessionId: string, listener: (event: ProtocolEvent) => void): void;
  close(): void;
}

async function openWire(url: string): Promise<Wire> {
  const socket = new WebSocket(url);
  const open = Promise.withResolvers<void>();
  socket.onopen = () => open.resolve();
  socket.onerror = () => open.reject(new Error(`no connection to ${url}`));
  await open.promise;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Anything>>();
  const listeners = new Map<string, (event: ProtocolEvent) => void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.id === undefined) return listeners.get(message.sessionId)?.(message);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.result);
    else call?.reject(new Error(`DevTools: ${message.error.message}`));
  };
  socket.onclose = () => {
    for (const call of waiting.values()) call.reject(new Error("Chromium ended"));
    waiting.clear();
  };
  return {
    call(method, params, sessionId) {
      const id = ++lastId;
      const call = Promise.withResolvers<Anything>();
      waiting.set(id, call);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
      return call.promise;
    },
    listen: (sessionId, listener) => void listeners.set(sessionId, listener),
    close: () => socket.close(),
  };
}

async function openPage(wire: Wire, options: PageOptions): Promise<BrowserPage> {
  const { width = 1280, height = 900, scale = 1, isDark = false, isMobile = false } = options;
  const { targetId } = await wire.call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await wire.call("Target.attachToTarget", { targetId, flatten: true });
  const events: ProtocolEvent[] = [];
  let loaded = Promise.withResolvers<void>();
  wire.listen(sessionId, (event) => {
    events.push(event);
    if (event.method === "Page.loadEventFired") loaded.resolve();
    if (event.method === "Page.javascriptDialogOpening") {
      send("Page.handleJavaScriptDialog", { accept: false }).catch(() => {}); // it may be gone
    }
  });
  const send = (method: string, params: Anything = {}) => wire.call(method, params, sessionId);
  for (const domain of ["Page", "Runtime", "Log", "Network", "Performance", "Security"]) {
    await send(`${domain}.enable`);
  }
  await send("Emulation.setDeviceMetricsOverride", {
    width,
    height,
    deviceScaleFactor: scale,
    mobile: isMobile,
  });
  const scheme = isDark ? "dark" : "light";
  await send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: scheme }],
  });
  return {
    events,
    send,
    async goto(url) {
      loaded = Promise.withResolvers();
      const { errorText } = await send("Page.navigate", { url });
      if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
      await loaded.promise;
    },
    async evaluate(expression) {
      const options = { expression, returnByValue: true, awaitPromise: true };
      const { result, exceptionDetails } = await send("Runtime.evaluate", options);
      if (exceptionDetails === undefined) return result.value;
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    },
    async screenshot({ isWhole = false } = {}) {
      const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: isWhole });
      return Uint8Array.fromBase64(data);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}
