import { describe, expect, test } from "vitest";
import { hostCookie } from "./host-cookie.ts";

describe("S1 cookies of the server", () => {
  test("S1 over https a cookie belongs to one host, is out of reach of scripts and stays off other sites' posts", () => {
    const cookie = hostCookie("one", { publicScheme: "https" });
    expect(cookie.set("a b", 60)).toBe("__Host-farthing_one=a%20b; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(cookie.clear()).toBe("__Host-farthing_one=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
  });

  test("S1 over http it is neither Secure nor prefixed, which browsers would not store", () => {
    expect(hostCookie("one", { publicScheme: "http" }).set("a", 60)).toBe(
      "farthing_one=a; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  test.each(["http", "https"] as const)("W9 for frames it is Secure and partitioned over %s", (publicScheme) => {
    expect(hostCookie("one", { publicScheme, isForFrames: true }).set("a", 60)).toMatch(
      /; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  test.each([
    ["farthing_one=a%20b", "a b"],
    ["other=x; farthing_one=a; last=y", "a"],
    ["farthing_one=", ""],
    ["farthing_one", null],
    ["xfarthing_one=a", null],
    ["farthing_onex=a", null],
    ["", null],
    [null, null],
  ])("S1 the value in %j is %j", (header, value) => {
    expect(hostCookie("one", { publicScheme: "http" }).valueIn(header)).toBe(value);
  });
});
