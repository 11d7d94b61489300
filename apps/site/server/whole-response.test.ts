import { expect, test } from "vitest";
import { wholeBody, wholeResponse } from "./whole-response.ts";

const page = () => wholeResponse("<p>Tea – £2</p>", { status: 404, headers: { "Content-Type": "text/html" } });

test("P1 a response with a whole body reads like any other", async () => {
  expect(page()).toBeInstanceOf(Response);
  expect(page().status).toBe(404);
  expect(page().headers.get("content-type")).toBe("text/html");
  expect(await page().text()).toBe("<p>Tea – £2</p>");
  expect(Buffer.from(await page().arrayBuffer()).toString()).toBe("<p>Tea – £2</p>");
  expect(await page().clone().text()).toBe("<p>Tea – £2</p>");
  expect(await new Response(page().body).text()).toBe("<p>Tea – £2</p>");
  expect(await wholeResponse('{"a":1}', {}).json()).toEqual({ a: 1 });
});

test("P1 wholeBody finds whole bodies, and none in other responses", () => {
  expect(wholeBody(page())).toBe("<p>Tea – £2</p>");
  expect(wholeBody(new Response("streamed"))).toBeNull();
  expect(wholeBody(new Response(null))).toBeNull();
});
