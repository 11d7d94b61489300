import { describe, expect, test } from "vitest";
import { framedStarts } from "../../../server/framing.ts";
import { whereToOpen } from "./where-to-open.ts";

const marks = { starts: `/${framedStarts.join("/")}`, origin: "https://club.example", keepsSession: true };

describe("W9 a link in a partner's frame", () => {
  test.each(["/", "/?a=1", "/search?q=tea", "/retailers", "/RETAILERS/boots", "/offers/x?offer=y", "/faq#a"])(
    "W9 %s stays in the frame",
    (path) => {
      expect(whereToOpen(`https://club.example${path}`, marks)).toBe("inside");
    },
  );

  test.each([
    "/login",
    "/register",
    "/forgotten-password",
    "/profile",
    "/go/offers/x",
    "/partners",
    "/status",
    "/x",
    "/retailers.x",
  ])("W9 %s opens outside", (path) => {
    expect(whereToOpen(`https://club.example${path}`, marks)).toBe("outside");
  });

  test("W9 another origin opens outside, and a mail address is left to the browser", () => {
    expect(whereToOpen("https://evil.example/retailers", marks)).toBe("outside");
    expect(whereToOpen("http://club.example/retailers", marks)).toBe("outside");
    expect(whereToOpen("mailto:help@club.example", marks)).toBe("inside");
    expect(whereToOpen("nothing", marks)).toBe("inside");
  });

  test("W9 where the browser keeps no cookie for the frame, every page opens outside", () => {
    expect(whereToOpen("https://club.example/retailers", { ...marks, keepsSession: false })).toBe("outside");
  });
});
