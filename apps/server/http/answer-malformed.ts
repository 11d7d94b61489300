import type { Duplex } from "node:stream";

const answers: Record<string, readonly [line: string, text: string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The address or the headers are too long. Shorten what you search for, or clear this site's cookies.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive. Try again."],
};

/**
 * `_httpMessage` is the answer that Node is writing to the socket. It is internal to node:http, whose own handler of
 * these errors reads it.
 */
type HttpSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null };

/**
 * Answers a malformed HTTP request, which never reaches the app, and closes the connection. If another answer is
 * under way (the request was pipelined behind a good one), it only closes: the client would read a second head as part
 * of the first body.
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
