import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ensurePortsFree, findFreeStackPort, parsePort } from "./free-port.mjs";

async function listening(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

test("Z1 the error for a port in use names the port and the setting to change", async () => {
  const { port, close } = await listening();
  await expect(ensurePortsFree([{ port, use: "the sandbox" }], 0)).rejects.toThrow(
    new RegExp(`^Port ${port} \\(the sandbox\\) is already in use: .* PORT=${port + 1000} npm start\\.$`),
  );
  await close();
});

test("Z1 a busy port that becomes free within the wait is no error", async () => {
  const { port, close } = await listening();
  const wait = ensurePortsFree([{ port, use: "the sandbox" }], 60_000);
  await close();
  await expect(wait).resolves.toBeUndefined();
});

test("Z1 a stack for tests takes the first ports that are all free", async () => {
  const { port, close } = await listening();
  const found = await findFreeStackPort(port - 1, (first) => [{ port: first }, { port: first + 1 }]);
  expect(found).toBeGreaterThan(port);
  await close();
});

test("P3 an invalid PORT is refused with a clear error", () => {
  expect(parsePort(undefined, 3000)).toBe(3000);
  expect(parsePort("", 3000)).toBe(3000);
  expect(parsePort("4321", 3000)).toBe(4321);
  for (const text of ["abc", "0", "70000", "30.5", "-1"])
    expect(() => parsePort(text, 3000)).toThrow(/PORT is ".*", which is not a port/);
});
