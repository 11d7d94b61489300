import { describe, expect, test } from "vitest";
import { askQuestions } from "./ask-questions.ts";
import { readSetupOptions } from "./setup-options.ts";

/** Answers each question whose words begin as a key does, one answer after the other. */
function person(answers: Record<string, string[]>) {
  const asked: { question: string; isSecret: boolean }[] = [];
  const told: string[] = [];
  return {
    asked,
    told,
    tell: (line: string) => void told.push(line),
    async ask(question: string, isSecret: boolean) {
      asked.push({ question, isSecret });
      const of = Object.keys(answers).find((words) => question.startsWith(words));
      const answer = of === undefined ? undefined : answers[of]?.shift();
      if (answer === undefined) throw new Error(`Nobody answers: ${question}`);
      return answer;
    },
  };
}

const all = {
  "Domain of the club": ["club.example, www.club.example"],
  "Name of the club": ["Village Club"],
  "Who it is for": ["people who keep a village going"],
  "Who may join": ["charity"],
  Look: [""],
  PostgreSQL: [""],
  Folder: [""],
  "Mail server": ["smtp://user:hush@mail.example:587"],
  "Address that e-mails": ["club@club.example"],
  "First affiliate network": [""],
  AWIN_PUBLISHER_ID: ["123456"],
  AWIN_API_TOKEN: ["a-token"],
  "Address that members": [""],
  "Your name": ["Ada Lovelace"],
  "Your e-mail": ["ada@club.example"],
};

describe("P3 the first run at a terminal", () => {
  test("P3 asks for all that is needed, offers defaults, and does not show what opens something", async () => {
    const terminal = person(structuredClone(all));
    const { settings, brand, operator, embedded } = await askQuestions(readSetupOptions([], {}), null, terminal);
    expect(brand).toMatchObject({ hosts: ["club.example", "www.club.example"], supportEmail: "club@club.example" });
    expect(settings).toEqual({
      PAYOUTS_DIR: "/var/lib/farthing/payouts",
      SMTP_URL: "smtp://user:hush@mail.example:587",
      MAIL_FROM: "club@club.example",
      AWIN_PUBLISHER_ID: "123456",
      AWIN_API_TOKEN: "a-token",
    });
    expect([operator, embedded]).toEqual([{ name: "Ada Lovelace", email: "ada@club.example" }, true]);
    const secret = terminal.asked.filter(({ isSecret }) => isSecret).map(({ question }) => question.split(/[ .]/)[0]);
    expect(secret).toEqual(["PostgreSQL", "Mail", "AWIN_API_TOKEN"]);
  });

  test("P3 asks again after an answer that can't be right, with the reason", async () => {
    const answers = structuredClone(all);
    answers["Domain of the club"].unshift("https://club.example/");
    answers["Folder"].unshift("payouts");
    answers["Mail server"].unshift("mail.example");
    answers["Who may join"].unshift("", "wizards");
    answers["Your e-mail"].unshift("ada");
    const terminal = person(answers);
    await askQuestions(readSetupOptions([], {}), null, terminal);
    expect(terminal.told.map((line) => line.trim())).toEqual([
      expect.stringContaining("not a host name"),
      "Needed.",
      "There is no wizards.",
      expect.stringContaining("not a whole path"),
      expect.stringContaining("not a mail server's address"),
      expect.stringContaining("Enter an e-mail address"),
    ]);
  });

  test("P3 does not ask for what the options or an existing file state", async () => {
    const words = ["--domain", "club.example", "--brand-name", "Club", "--audience", "all", "--member-type", "charity"];
    const more = ["--theme", "chalkside", "--support", "help@club.example", "--operator-email", "ada@club.example"];
    const options = readSetupOptions([...words, ...more, "--operator-name", "Ada"], {});
    const existing = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "club@club.example", AWIN_PUBLISHER_ID: "1" };
    const terminal = person({});
    expect(await askQuestions(options, existing, terminal)).toEqual(options);
  });
});
