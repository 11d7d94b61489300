import { describe, expect, test } from "vitest";
import { maskedEmail } from "./masked-email.ts";

describe("S1 masked addresses", () => {
  test.each([
    ["member@school.example", "m•••@s•••.example"],
    ["a@b.co.uk", "a•••@b•••.uk"],
    ["nobody", "•••"],
    ["mary@school.example", "m•••@s•••.example"],
    ["m@s.example.co.uk", "m•••@s•••.uk"],
    ["m@localhost", "m•••@l•••"],
    ['"odd@name"@host.example', '"•••@h•••.example'],
    ["m@.example", "m•••@.•••"],
    ["@host.example", "•••"],
    ["no address", "•••"],
  ])("S1 %s is shown as %s", (email, shown) => expect(maskedEmail(email)).toBe(shown));
});
