import { Agent, request } from "node:http";
import type { Asked } from "./sides.ts";

export interface Answers {
  /** In the order of the questions. */
  texts: string[];
  /** Of each answer, in ms, in no order. */
  times: number[];
  elapsedMs: number;
}

/** Sends the questions, `concurrency` at a time on connections that stay open. @throws Error for an answer other than 200 */
export async function askAll(url: string, questions: readonly Asked[], concurrency: number): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const texts: string[] = [];
  const times: number[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < questions.length; index = next++) {
      const from = performance.now();
      texts[index] = await askOne(agent, url, questions[index]!);
      times.push(performance.now() - from);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, work));
  const elapsedMs = performance.now() - began;
  agent.destroy();
  return { texts, times, elapsedMs };
}

function askOne(agent: Agent, url: string, { path, body }: Asked): Promise<string> {
  const headers =
    body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { agent, headers, method: body === undefined ? "GET" : "POST" }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${url}${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    }).once("error", reject);
    asked.end(body);
  });
}
