import type { Duplex } from "node:stream";

const answers: Record<string, readonly [line: string, text: string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The address or the headers are too long. Shorten what you search for, or clear this site's cookies.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive. Try again."],
};

/** The answer that Node is writing to a socket, if any: an internal of node:http, as its own handler of these errors reads it. */
type HttpSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null };

/**
 * Answers what is no proper HTTP request, where there is no request to hand to the app, and closes the connection. In the middle of another
 * answer (a request that was pipelined behind a good one) it only closes: a second head would be read as a part of the first's body.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  if (error.code === "ECONNRESET" || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [line, text] = answers[error.code ?? ""] ?? [
    "400 Bad Request",
    "This is not a request this server understands.",
  ];
  const head = [
    "Content-Type: text/plain; charset=utf-8",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`HTTP/1.1 ${line}\r\n${head.join("\r\n")}\r\n\r\n${text}`);
}
