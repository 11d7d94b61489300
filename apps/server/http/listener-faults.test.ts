import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import { answerMalformed } from "./answer-malformed.ts";
import type { AppEnv } from "../app-env.ts";
import { testApp } from "../app.testing.ts";
import { contained, createListener } from "./listener.ts";
import { requestLogger } from "../monitoring/logger.ts";

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).on("clientError", answerMalformed);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function ask(
  port: number,
  path = "/",
): Promise<{ status: number; text: string; isWhole: boolean; headers: IncomingMessage["headers"] }> {
  const [answer] = (await once(get({ port, host: "127.0.0.1", path, headers: { host: "one.test" } }), "response")) as [
    IncomingMessage,
  ];
  let text = "";
  answer.on("data", (part: Buffer) => (text += part.toString()));
  const isWhole = await new Promise<boolean>((resolve) => {
    answer.on("end", () => resolve(answer.complete));
    answer.on("error", () => resolve(false));
  });
  return { status: answer.statusCode ?? 0, text, isWhole, headers: answer.headers };
}

describe("P6 errors outside the app", () => {
  test("P6 an error thrown at once, later, or after the answer began ends that answer only, and is logged", async () => {
    const logged: unknown[] = [];
    const logger = { error: (fields: object) => void logged.push(fields) } as unknown as Parameters<
      typeof contained
    >[1];
    const port = await listen(
      contained((request, response) => {
        if (request.url === "/now") throw new Error("a fault");
        if (request.url === "/later") return Promise.reject(new Error("a fault"));
        response.writeHead(200, { "content-length": "100" }).write("begun");
        return Promise.reject(new Error("a fault"));
      }, logger),
    );
    for (const path of ["/now", "/later"]) {
      const { status, text } = await ask(port, path);
      expect({ status, text }).toEqual({
        status: 500,
        text: "Something went wrong. The fault is on our side; try again in a moment.",
      });
    }
    expect(await ask(port, "/begun")).toMatchObject({ status: 200, isWhole: false });
    expect(logged).toHaveLength(3);
  });
});

describe("Z5 streamed answers", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const streamOf = (...parts: (string | Error)[]) => {
    const rest = [...parts];
    return new ReadableStream({
      async pull(controller) {
        // As from a database: the first part is sent before the next is ready.
        await new Promise((resolve) => setImmediate(resolve));
        const part = rest.shift();
        if (part === undefined) controller.close();
        else if (part instanceof Error) controller.error(part);
        else controller.enqueue(bytes(part));
      },
    });
  };
  const answers: Record<string, () => Response> = {
    "/whole": () => new Response("all of it"),
    "/empty": () => new Response(null, { status: 303, headers: { location: "/" } }),
    "/parts": () => new Response(streamOf("one ", "two ", "three")),
    "/cookies": () =>
      new Response("x", {
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      }),
    "/fails-first": () => new Response(streamOf(new Error("secret detail"))),
    "/fails-second": () => new Response(streamOf("one ", new Error("secret detail"))),
    "/fails-later": () => new Response(streamOf("one ", "two ", "three ", new Error("secret detail"))),
  };

  async function start() {
    const tiny = testApp([], async () => new Response());
    const app = new Hono<AppEnv>().all("*", (context) => answers[context.req.path]?.() ?? context.notFound());
    const { config, metrics, logger, readiness, lines } = tiny;
    const logRequest = requestLogger(logger);
    const parts = { app, cache: null, config, sessionCookieName: "x", metrics, logger, logRequest, readiness };
    return { port: await listen(createListener(parts)), lines };
  }

  test("Z5 arrive whole, with their length if it is known", async () => {
    const { port } = await start();
    expect(await ask(port, "/whole")).toMatchObject({
      text: "all of it",
      isWhole: true,
      headers: { "content-length": "9" },
    });
    expect(await ask(port, "/parts")).toMatchObject({ text: "one two three", isWhole: true });
    expect(await ask(port, "/empty")).toMatchObject({
      status: 303,
      text: "",
      headers: { location: "/", "content-length": "0" },
    });
    expect((await ask(port, "/cookies")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });

  test("Z5 get 500 if they fail before anything was sent, and are cut off if they fail later; the log has the error", async () => {
    const { port, lines } = await start();
    for (const path of ["/fails-first", "/fails-second"]) expect((await ask(port, path)).status, path).toBe(500);
    const later = await ask(port, "/fails-later");
    expect(later).toMatchObject({ status: 200, isWhole: false });
    for (const path of Object.keys(answers)) expect((await ask(port, path)).text, path).not.toContain("secret");
    expect(JSON.stringify(lines)).toContain("secret detail");
  });

  test("S2 malformed bytes after a good request do not corrupt its answer", async () => {
    const port = await listen((request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("12345");
      request.socket.once("close", () => response.destroy());
    });
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n"));
    let received = "";
    socket.on("data", (part: Buffer) => {
      if (!received.includes("12345") && (received + part.toString()).includes("12345"))
        socket.write("nonsense\r\n\r\n");
      received += part.toString();
    });
    socket.on("error", () => {});
    await once(socket, "close");
    expect(received).toContain("12345");
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
