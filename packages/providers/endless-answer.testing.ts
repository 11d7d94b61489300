/** An answer that never ends, in chunks of 64 KiB, and how many bytes of it were taken. */
export function endlessAnswer() {
  const answer = { takenBytes: 0, isCancelled: false };
  const chunk = new TextEncoder().encode(" ".repeat(65_536));
  const response = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          answer.takenBytes += chunk.length;
          controller.enqueue(chunk);
        },
        cancel() {
          answer.isCancelled = true;
        },
      }),
      { headers: { "content-type": "application/json" } },
    );
  return { answer, response };
}
