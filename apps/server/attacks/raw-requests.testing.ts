import { connect, type Socket } from "node:net";
import { pageEntries } from "@farthing/admin/pages.ts";
import fc from "fast-check";

/** How a client leaves: it closes the connection, only stops sending, or resets it in the middle (RST). */
export type Ending = "hang-up" | "half-close" | "reset";

/**
 * One connection: the bytes written to it, in which pieces, and how it ends. `talk` replaces the placeholders HOST and
 * COOKIE.
 */
export interface RawCase {
  /** Bytes as latin1 text, so that a counterexample is readable. */
  text: string;
  /** Where the text is cut into pieces that are sent in turn, as fractions of its length. */
  cuts: number[];
  ending: Ending;
  /** Whether the client waits a moment for answers before it leaves. */
  isPatient: boolean;
}

const CRLF = "\r\n";
const pick = <const T>(...values: T[]) => fc.constantFrom(...values);
/** Characters that parsers treat specially: ends of lines and strings, digits, deep nesting. */
const oddText = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: pick("%00", "%", "%ED%A0%80", "\\", "//", "..", "\0", "\xff", "\xc3\xa9", "?", "#", "[") },
  ),
  maxLength: 24,
});

const method = fc.oneof(
  { weight: 6, arbitrary: pick("GET", "POST", "HEAD") },
  { weight: 3, arbitrary: pick("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY", "PROPFIND") },
  { weight: 2, arbitrary: pick("get", "PRI", "SOURCE", "M-SEARCH", "G\0T", "", "X".repeat(300)) },
  { weight: 1, arbitrary: oddText },
);

const sitePath = pick(
  ...[
    "/",
    "/login",
    "/search?q=boots",
    "/retailers",
    "/categories/x",
    "/offers/x?offer=y",
    "/profile",
    "/verification",
  ],
  ...["/verification/attachment", "/go/offers/x", "/go/retailers/x?offer_variant=y", "/healthz", "/readyz", "/metrics"],
  ...["/assets/x.js", "/art/retailers/x.svg", "/webhooks/awin/x", "/webhooks/stripe", "/api/suggestions?q=b", "/sw.js"],
  ...[
    "/api/Telemetry",
    "/api/Telemetry/batch",
    "/api/payments",
    "/widget/1/x.js",
    "/redirect?token=x",
    "/favicon.ico",
    "/robots.txt",
    "/register",
    "/check?c=x",
  ],
);
/** Every address of the operators' admin but those that end the session; their parameters name nothing, or odd things. */
const adminPath = fc
  .tuple(
    fc.constantFrom(...pageEntries.map(([path]) => path).filter((path) => !/^\/admin\/(sign-out|\*)/.test(path))),
    pick("x", "0", "-1", "0199f3c2-0000-7000-8000-000000000001", "%00", "%ED%A0%80", "..", "__proto__", "a%2Fb"),
    pick("", "", "?q=%00", "?after=x", "?before=WyJ4Il0&sort=name", "?sort=-&size=1e9&state=__proto__", "?ids=&ids="),
  )
  .map(([path, record, query]) => path.replaceAll(/:[a-z]+/gi, record) + query);
const knownPath = fc.oneof({ weight: 2, arbitrary: sitePath }, { weight: 1, arbitrary: adminPath });
const target = fc.oneof(
  { weight: 6, arbitrary: knownPath },
  { weight: 3, arbitrary: fc.tuple(knownPath, oddText).map(([path, odd]) => path + odd) },
  {
    weight: 3,
    arbitrary: pick(
      ...["//", "///", "/\\", "\\", "*", "", "?", "#", "/..", "/../../etc/passwd", "/%", "/%00", "/%ED%A0%80", "/%ff"],
      ...["http://", "http://[", "http://x:99999/", "http://one.test/", "https://evil.example/x", "//evil.example:x/"],
      ...[
        "/search?q=%00",
        "/search?q=%ED%A0%80",
        "/search?%=%&=&&",
        "/login?next=//evil.example",
        "one.test:443",
        ":80",
      ],
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 70_000 }).map((length) => `/${"a".repeat(length)}`) },
  { weight: 2, arbitrary: oddText },
);

const version = fc.oneof(
  { weight: 9, arbitrary: pick("HTTP/1.1") },
  { weight: 2, arbitrary: pick("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1 ", "http/1.1", "", "HTTP/9999999999.1") },
);

const host = fc.oneof(
  { weight: 8, arbitrary: pick("HOST") },
  {
    weight: 2,
    arbitrary: pick(
      ...["", "unknown.example", "one.test:99999", "one.test:", "1.2.3.4.5", "a.1", "999.999.999.999", "[::1]", "[::"],
      ...["one.test/x", "one.test@evil.example", "one..test", "xn--a", "\xff", "a".repeat(300), "HOST, HOST"],
    ),
  },
);

const headerLine = fc.oneof(
  host.map((value) => `Host: ${value}`),
  pick(
    ...["Connection: upgrade", "Connection: close", "Connection: keep-alive", "Upgrade: websocket", "Upgrade: h2c"],
    ...["Sec-WebSocket-Key: x", "HTTP2-Settings: x", "Expect: 100-continue", "Expect: a miracle", "TE: trailers"],
    ...[
      "Trailer: x",
      "Accept-Encoding: br",
      "Accept-Encoding: gzip;q=0, *;q=x",
      "Accept-Encoding: ,;,=",
      "Range: bytes=-",
    ],
    ...["If-None-Match: *", 'If-None-Match: "', "If-Modified-Since: never", "Cookie: COOKIE", "Cookie: COOKIE; x"],
    ...[
      "Cookie: farthing_session=%",
      "Cookie: farthing_banner=%ff",
      "Cookie: =;=; =",
      "Cookie: farthing_session=%00.x",
    ],
    ...["Authorization: Bearer ", "Authorization: Basic \xff", "X-Forwarded-Host: a.1", "X-Forwarded-For: \xff, ,"],
    ...[
      "X-Forwarded-Proto: https",
      "X-Request-Id: ../../x",
      "Origin: null",
      "Origin: http://[",
      "Sec-Fetch-Site: none",
    ],
    ...[
      "Content-Type: application/x-www-form-urlencoded",
      "Content-Type:",
      "Content-Type: x",
      "Content-Type: application/json",
    ],
    ...[
      "Content-Type: multipart/form-data; boundary=x",
      "Content-Type: multipart/form-data; boundary=",
      "Sec-Purpose: x",
    ],
    ...[
      "Content-Encoding: gzip",
      "__proto__: x",
      "constructor: x",
      "Transfer-Encoding: identity",
      " folded",
      "no colon",
    ],
  ),
  fc.tuple(oddText, oddText).map(([name, value]) => `${name}: ${value}`),
);

const body = fc.oneof(
  pick("", "a=b", "q=%00&intent=x", "email=%ED%A0%80", '{"a":"\\ud800"}', "{", "[".repeat(20_000), "&".repeat(5_000)),
  pick(
    `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7${"x".repeat(4_000)}\r\n--x--\r\n`,
    `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: \0\r\n\r\n${"y".repeat(70_000)}`,
    `--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nz\r\n--x\r\n\r\n\r\n--x`,
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** How the body's length is announced: correctly, wrongly, twice, in chunks, or not at all. */
const framing = fc.oneof(
  { weight: 5, arbitrary: pick("exact") },
  {
    weight: 5,
    arbitrary: pick("none", "short", "long", "huge", "negative", "word", "twice", "both", "chunks", "cut-chunks"),
  },
);

function framed(text: string, how: string): { lines: string[]; sent: string } {
  const length = Buffer.byteLength(text, "latin1");
  const chunk = `${length.toString(16)}${CRLF}${text}${CRLF}`;
  switch (how) {
    case "none":
      return { lines: [], sent: text };
    case "short":
      return { lines: [`Content-Length: ${Math.max(0, length - 1)}`], sent: text };
    case "long":
      return { lines: [`Content-Length: ${length + 10}`], sent: text };
    case "huge":
      return { lines: ["Content-Length: 99999999999999999999"], sent: text };
    case "negative":
      return { lines: ["Content-Length: -1"], sent: text };
    case "word":
      return { lines: ["Content-Length: ten"], sent: text };
    case "twice":
      return { lines: [`Content-Length: ${length}`, `Content-Length: ${length + 1}`], sent: text };
    case "both":
      return { lines: [`Content-Length: ${length}`, "Transfer-Encoding: chunked"], sent: `${chunk}0${CRLF}${CRLF}` };
    case "chunks":
      return { lines: ["Transfer-Encoding: chunked"], sent: `${length > 0 ? chunk : ""}0${CRLF}${CRLF}` };
    case "cut-chunks":
      return { lines: ["Transfer-Encoding: chunked"], sent: `fffff${CRLF}${text}` };
    default:
      return { lines: [`Content-Length: ${length}`], sent: text };
  }
}

const ordinaryHeaders = pick(
  ["Host: HOST"],
  ["Host: HOST", "Content-Type: application/x-www-form-urlencoded", "Cookie: COOKIE"],
  ["Host: HOST", "Content-Type: multipart/form-data; boundary=x", "Cookie: COOKIE", "Sec-Fetch-Site: same-origin"],
  ["Host: HOST", "Content-Type: application/json"],
  [],
);

/** Requests with anything malformed. The parser refuses most of them. */
const wild = fc
  .record({
    method,
    target,
    version,
    base: ordinaryHeaders,
    more: fc.array(headerLine, { maxLength: 4 }),
    body,
    framing,
  })
  .map(({ method, target, version, base, more, body, framing }) => {
    const { lines, sent } = framed(body, framing);
    return [`${method} ${target} ${version}`, ...base, ...more, ...lines, "", sent].join(CRLF);
  });

/**
 * Requests that the parser accepts, with something odd in the address, one header or the body, so that they reach
 * a page.
 */
const tame = fc
  .record({
    method: pick("GET", "POST", "POST", "HEAD"),
    path: fc.oneof(
      knownPath,
      target.filter((text) => /^\/[!-~]*$/.test(text) && text.length < 2_000),
    ),
    base: ordinaryHeaders.filter((lines) => lines.length > 0),
    more: fc.option(
      headerLine.filter((line) => /^[\w-]+: [ -~]*$/.test(line) && !/^(Host|Content-|Transfer-|Expect)/i.test(line)),
      {
        nil: "Accept: */*",
      },
    ),
    body,
    framing: fc.oneof(
      { weight: 4, arbitrary: pick("exact") },
      { weight: 1, arbitrary: pick("chunks", "long", "cut-chunks") },
    ),
  })
  .map(({ method, path, base, more, body, framing }) => {
    const { lines, sent } = method === "POST" ? framed(body, framing) : { lines: [], sent: "" };
    return [`${method} ${path} HTTP/1.1`, ...base, more, ...lines, "", sent].join(CRLF);
  });

const message = fc.oneof({ weight: 6, arbitrary: tame }, { weight: 4, arbitrary: wild });

/** Bytes that are not HTTP. */
const noise = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  pick(
    "\r\n\r\n",
    "\0",
    "GET",
    "GET /",
    "GET / HTTP/1.1\r\nHost",
    "\x16\x03\x01\x02\x00\x01",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ),
  fc.integer({ min: 100, max: 3_000 }).map((count) => `GET / HTTP/1.1\r\n${"x: y\r\n".repeat(count)}\r\n`),
);

export const rawCase: fc.Arbitrary<RawCase> = fc.record({
  text: fc.oneof(
    { weight: 8, arbitrary: message },
    // Pipelined: the second request arrives before the first is answered.
    {
      weight: 2,
      arbitrary: fc.array(fc.oneof(message, message, noise), { minLength: 2, maxLength: 4 }).map((all) => all.join("")),
    },
    { weight: 1, arbitrary: noise },
  ),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  ending: pick("hang-up", "half-close", "reset"),
  isPatient: fc.boolean(),
});

/** The server that `talk` connects to. */
export interface Talk {
  port: number;
  host: string;
  cookie: string;
  /** A request that is answered; clients that wait stay that long. */
  moment(): Promise<unknown>;
}

/**
 * Plays the cases at the same time. Resolves with the statuses that each received, once every connection is closed.
 */
export async function talk(cases: readonly RawCase[], { port, host, cookie, moment }: Talk): Promise<number[][]> {
  const lines = cases.map(({ text, cuts, ending, isPatient }) => {
    const statuses: number[] = [];
    const bytes = Buffer.from(text.replaceAll("HOST", host).replaceAll("COOKIE", cookie), "latin1");
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    // The server may reset a malformed connection, and a client that has left gets no answer.
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      for (const [, status] of data.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g)) statuses.push(Number(status));
    });
    socket.on("end", () => socket.end());
    const places = [...new Set(cuts.map((cut) => Math.floor(cut * bytes.length)))].sort((a, b) => a - b);
    const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
    const sent = send(socket, pieces);
    if (!isPatient) void sent.then(() => leave(socket, ending));
    return { socket, closed, sent, ending, isPatient, statuses };
  });
  await Promise.all(lines.map(({ sent }) => sent));
  await moment();
  for (const { socket, ending, isPatient } of lines) if (isPatient) leave(socket, ending);
  await moment();
  // After its answer the server closes a half-closed connection, unless it waits for a body that never comes.
  for (const { socket } of lines) socket.destroy();
  await Promise.all(lines.map(({ closed }) => closed));
  return lines.map(({ statuses }) => statuses);
}

/** Writes the pieces in turn, until the server closes the connection. */
async function send(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return;
    await new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
      socket.write(piece, () => resolve());
    });
  }
}

function leave(socket: Socket, ending: Ending): void {
  if (ending === "half-close") socket.end();
  // Node never emits "close" for a socket that is reset while its own end is under way.
  else if (ending === "reset" && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}
