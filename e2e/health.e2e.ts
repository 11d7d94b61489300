import { expect, test } from "./support/fixtures.ts";

test("Z1 the default brand answers at the plain address, and /readyz says that all is up", async ({
  request,
  brandUrl,
  sandboxUrl,
}) => {
  const plain = brandUrl("x").replace("x.localhost", "localhost");
  expect((await request.get(`${plain}readyz`)).status()).toBe(200);
  expect((await request.get(plain)).status()).toBe(200);
  expect((await request.get(sandboxUrl())).status()).toBe(200);
});
