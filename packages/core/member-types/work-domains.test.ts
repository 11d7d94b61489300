import { expect, test } from "vitest";
import { workDomainSchema } from "./edit-schema.ts";

const read = (name: string) => workDomainSchema.safeParse({ name });

test.each([
  ["nhs.uk", "nhs.uk"],
  [" Trust.NHS.uk ", "trust.nhs.uk"],
  ["ac.uk", "ac.uk"],
  ["a-b.example", "a-b.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["notgmail.com", "notgmail.com"],
  ["employer.co.uk", "employer.co.uk"],
])("M4 %j is a work domain", (typed, domain) => {
  expect(read(typed).data).toEqual({ name: domain, withSubdomains: false });
});

test.each([
  "https://nhs.uk",
  "nhs.uk/",
  "@nhs.uk",
  "ada@nhs.uk",
  "*.nhs.uk",
  ".nhs.uk",
  "nhs.uk.",
  "nhs..uk",
  "nhs",
  "-nhs.uk",
  "nhs uk",
  "nhs.uk, trust.uk",
  "bücher.example",
  "192.168.0.1",
  `${"a".repeat(64)}.uk`,
  `${"a.".repeat(126)}uk`,
])("M4 %j is not, and the message says how", (typed) => {
  expect(read(typed).error?.issues.map(({ message }) => message)).toContain(
    "Give the domain alone, such as nhs.uk, without https:// or @.",
  );
});

test.each([
  ...["gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "hotmail.co.uk", "live.co.uk", "yahoo.co.uk"],
  ...["icloud.com", "me.com", "aol.com", "proton.me", "btinternet.com", "sky.com", "GMAIL.com", "mail.yahoo.com"],
])("M4 S1 %j is refused: anyone has a mailbox there", (typed) => {
  expect(read(typed).error?.issues[0]?.message).toMatch(
    /^Anyone can have a mailbox at [a-z.]+, so it proves nothing\.$/,
  );
});

test.each(["co.uk", "org.uk", "me.uk", "uk.com"])("M4 S1 %j is refused: anyone can register a name there", (typed) => {
  expect(read(typed).error?.issues[0]?.message).toBe(
    `Anyone can register a name under ${typed}, so it proves nothing.`,
  );
});
