import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { MeasuredServer } from "../pages/measured-server.ts";

const VISITORS = 4;
const agent = new Agent({ keepAlive: true });
let addresses = 0;

/** Sends a request as a browser behind the proxy does, and reads its answer. @throws Error where the server fails, or refuses to look */
export async function send(
  { url }: MeasuredServer,
  method: "GET" | "POST",
  path: string,
  {
    body,
    type,
    cookie = "",
    authorization,
  }: { body?: string; type?: string; cookie?: string; authorization?: string } = {},
): Promise<void> {
  addresses += 1;
  const headers = {
    ...{ "x-forwarded-for": `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`, cookie },
    ...(method === "POST" && { origin: url, "content-length": Buffer.byteLength(body ?? "") }),
    ...(type && { "content-type": type }),
    ...(authorization && { authorization }),
  };
  const status = await new Promise<number>((resolve, reject) => {
    const asked = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      answer.on("error", reject).on("end", () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    asked.on("error", reject).end(body);
  });
  if (status >= 500 || status === 405 || status === 413 || (method === "GET" && status === 404))
    throw new Error(`${method} ${path.slice(0, 80)} answered ${status}`);
}

/** Visitors who read pages, one after the other, until they are stopped. */
export function startVisitors(app: MeasuredServer): { stop(): Promise<void> } {
  let isStopped = false;
  const visitors = Promise.all(
    Array.from({ length: VISITORS }, async (_, visitor) => {
      for (let turn = visitor; !isStopped; turn += 1) {
        await send(app, "GET", ["/", `/search?q=boots+${turn}`, "/retailers", "/faq"][turn % 4]!);
        await delay(20);
      }
    }),
  );
  visitors.catch(() => {}); // `stop` says what went wrong
  return {
    async stop() {
      isStopped = true;
      await visitors;
    },
  };
}
