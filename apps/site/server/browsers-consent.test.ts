import { expect, test } from "vitest";
import { endAll, endForeignCookies } from "./browsers-consent.ts";

const OVER_HTTPS = "https://club.example.org";

test("T6 over https a deletion is Secure, because browsers ignore that of a __Secure- or __Host- name without it", () => {
  expect(endForeignCookies("_ga=1; __Secure-tag=2", OVER_HTTPS, true)).toEqual([
    "_ga=; Max-Age=0; Path=/; Secure",
    "_ga=; Max-Age=0; Path=/; Secure; Domain=club.example.org",
    "_ga=; Max-Age=0; Path=/; Secure; Domain=example.org",
    "__Secure-tag=; Max-Age=0; Path=/; Secure",
    "__Secure-tag=; Max-Age=0; Path=/; Secure; Domain=club.example.org",
    "__Secure-tag=; Max-Age=0; Path=/; Secure; Domain=example.org",
  ]);
  expect(endForeignCookies("_ga=1", "http://club.localhost", false)[0]).toBe("_ga=; Max-Age=0; Path=/");
});

test("T6 what is ours stays under each of its prefixes, such as the mark of a browser that invites", () => {
  const ours = "farthing_banner=1; __Host-farthing_session=s; __Secure-farthing_browser=b; __stripe_mid=m";
  expect(endForeignCookies(ours, OVER_HTTPS, true)).toEqual([]);
});

test("T6 what an earlier yes has left is deleted only where it is there", () => {
  expect(endAll("__Host-farthing_visit=v; _ga=1", "https://club.test", false)).toEqual([
    "__Host-farthing_visit=; Max-Age=0; Path=/; Secure; SameSite=Lax",
    "_ga=; Max-Age=0; Path=/; Secure",
    "_ga=; Max-Age=0; Path=/; Secure; Domain=club.test",
  ]);
  expect(endAll("__Host-farthing_session=s", OVER_HTTPS, true)).toEqual([]);
  expect(endAll(null, OVER_HTTPS, true)).toEqual([]);
});

test("T6 a refusal by a browser that is not known to have agreed leaves the logins of other sites on the domain above", () => {
  const left = (hadTags: boolean) => endForeignCookies("staff_login=1; _gcl_au=2", OVER_HTTPS, hadTags);
  expect(left(false)).toContain("_gcl_au=; Max-Age=0; Path=/; Secure; Domain=example.org");
  expect(left(false).filter((cookie) => /^staff_login.*Domain=example\.org/.test(cookie))).toEqual([]);
  expect(left(true)).toContain("staff_login=; Max-Age=0; Path=/; Secure; Domain=example.org");
});
