import { request } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { afterAll, expect, test } from "vitest";
import { createStripeProvider } from "./cards/stripe/stripe-provider.ts";
import { refuseOtherProtocols } from "./refuse-other-protocols.ts";
import { clickhouseSink } from "./telemetry/clickhouse-sink.ts";

const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.once("data", () =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

test("R1 G3 a card provider that switches to another protocol is unavailable", async () => {
  const cards = createStripeProvider({ secretKey: "sk_test_x", webhookSecret: "whsec_x", apiUrl: url });
  await expect(cards.createCustomer({ key: "1" })).rejects.toThrow(CardProviderUnavailableError);
});

test("R1 T3 a copy of the events that switches to another protocol fails", async () => {
  const sink = clickhouseSink({ url: `${url}/default` });
  await expect(sink.open()).rejects.toThrow(/another protocol/);
  await sink.close();
});

test("R1 whoever asks for another protocol gets it", async () => {
  refuseOtherProtocols();
  const asking = request(url, { headers: { connection: "upgrade", upgrade: "websocket" } });
  const isOpen = await new Promise<boolean>((resolve, reject) => {
    asking.on("error", reject);
    asking.on("upgrade", (_response, socket) => {
      resolve(!socket.destroyed);
      socket.destroy();
    });
    asking.end();
  });
  expect(isOpen).toBe(true);
});
