import { pageEntries } from "@farthing/site/pages.ts";
import { expect, test } from "vitest";
import { guessedAddresses } from "./guessed-addresses.ts";

const routes = guessedAddresses();
const guesses = routes.routes.map(({ path }) => path);

test.each([
  ["/offers", "/search"],
  ["/shops", "/retailers"],
  ["/help", "/faq"],
  ["/terms", "/legal/terms"],
  ["/sign-up", "/register"],
  ["/refer-a-friend", "/money/friends"],
])("D1 %s leads to %s", async (guess, page) => {
  const answer = await routes.request(guess);
  expect([answer.status, answer.headers.get("location")]).toEqual([301, page]);
});

test("D1 each leads to a page that there is, and none hides one", async () => {
  const patterns = pageEntries.map(([path]) => path as string);
  const isPage = (path: string) =>
    patterns.some((pattern) => pattern !== "/*" && new URLPattern({ pathname: pattern }).test({ pathname: path }));
  for (const guess of guesses) {
    expect(isPage(guess), guess).toBe(false);
    const { headers } = await routes.request(guess);
    expect(isPage(headers.get("location") ?? ""), guess).toBe(true);
  }
});

test("D1 another's part of an address is no guess", async () => {
  expect((await routes.request("/join/ABC123")).status).toBe(404);
  expect((await routes.request("/offers/fern-hollow")).status).toBe(404);
});
