import { brandStatement } from "@farthing/core/brands/schema.ts";
import { themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { firstMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { newOperatorSchema } from "@farthing/core/operators/schema.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import type { z } from "zod";
import { environmentSchema } from "../environment-schema.ts";
import { payoutsDirFault } from "./check-setup.ts";
import { defaultPayoutsDir } from "./make-settings.ts";
import { separated, type SetupOptions } from "./setup-options.ts";
import type { Settings } from "./settings-file.ts";

/** Who answers: a person at a terminal, or a test. */
export interface Answering {
  /** Shows a question and returns the line that is typed. @param isSecret the line is not shown */
  ask(question: string, isSecret: boolean): Promise<string>;
  tell(line: string): void;
}

/** Asks for what neither the options nor an existing file state, until each answer can be right. Returns the completed options. */
export async function askQuestions(
  options: SetupOptions,
  existing: Settings | null,
  { ask, tell }: Answering,
): Promise<SetupOptions> {
  const settings: Record<string, string> = { ...options.settings };
  const has = (name: string) => settings[name] !== undefined || existing?.[name] !== undefined;

  async function question(
    words: string,
    check: (answer: string) => string | null,
    { fallback = "", isSecret = false } = {},
  ): Promise<string> {
    for (;;) {
      const typed = (await ask(fallback === "" ? `${words}: ` : `${words} [${fallback}]: `, isSecret)).trim();
      const answer = typed === "" ? fallback : typed;
      const problem = check(answer);
      if (problem === null) return answer;
      tell(`  ${problem}`);
    }
  }
  async function setting(name: keyof typeof environmentSchema.shape & string, words: string, isSecret = false) {
    if (has(name)) return;
    const schema: z.ZodType = environmentSchema.shape[name];
    settings[name] = await question(words, (answer) => (answer === "" ? "Needed." : fault(schema, answer)), {
      isSecret,
    });
  }

  const { shape } = brandStatement;
  const brand = { ...options.brand };
  const needed = (schema: z.ZodType, read: (answer: string) => unknown) => (answer: string) =>
    answer === "" ? "Needed." : fault(schema, read(answer));
  brand.hosts ??= separated(await question("Domain of the club, such as club.example", needed(shape.hosts, separated)));
  brand.name ??= await question("Name of the club", needed(shape.name, String));
  brand.audience ??= await question(
    "Who it is for, such as: teachers and school staff",
    needed(shape.audience, String),
  );
  brand.memberTypes ??= separated(
    await question(`Who may join: one or more of ${firstMemberTypes.join(", ")}`, (answer) => {
      const unknown = separated(answer).filter((type) => !firstMemberTypes.includes(type));
      if (unknown.length > 0) return `There is no ${unknown.join(", ")}.`;
      return separated(answer).length > 0 ? null : "Needed.";
    }),
  );
  brand.theme ??= await question(
    `Look: one of ${themeNames.join(", ")}`,
    (answer) => (themeNames.includes(answer) ? null : "There is no such theme."),
    { fallback: themeNames[0] ?? "" },
  );

  let { embedded } = options;
  if (!embedded && !has("DATABASE_URL") && existing === null) {
    const answer = await question(
      "PostgreSQL as postgres://user:password@host:5432/database (not shown), or nothing for the one in the release",
      (typed) => (typed === "" ? null : fault(environmentSchema.shape.DATABASE_URL, typed)),
      { isSecret: true },
    );
    if (answer === "") embedded = true;
    else settings["DATABASE_URL"] = answer;
  }
  if (!has("PAYOUTS_DIR") && existing === null)
    settings["PAYOUTS_DIR"] = await question(
      "Folder for files for the bank, which hold bank details",
      payoutsDirFault,
      {
        fallback: defaultPayoutsDir(settings),
      },
    );
  await setting("SMTP_URL", "Mail server as smtp://user:password@host:587 (not shown)", true);
  await setting("MAIL_FROM", "Address that e-mails come from");
  if (!allNetworks.some(({ environment }) => Object.keys(environment.shape).some(has))) {
    const names = allNetworks.map(({ slug }) => slug);
    const slug = await question(
      `First affiliate network: one of ${names.join(", ")}`,
      (answer) => (names.includes(answer) ? null : "There is no such network."),
      { fallback: names[0] ?? "" },
    );
    const network = allNetworks.find((of) => of.slug === slug);
    for (const [name, hint] of Object.entries(network?.required ?? {})) {
      if (/_PUSH_SECRET$/.test(name)) continue; // made here
      const schema = network?.environment.shape[name];
      const isSecret = /(TOKEN|KEY|SECRET)$/.test(name);
      settings[name] = await question(
        `${name}${isSecret ? " (not shown)" : ""}. ${hint}`,
        (answer) => (answer === "" ? "Needed." : schema ? fault(schema as z.ZodType, answer) : null),
        { isSecret },
      );
    }
  }
  brand.supportEmail ??= await question("Address that members write to", needed(shape.supportEmail, String), {
    fallback: settings["MAIL_FROM"] ?? existing?.["MAIL_FROM"] ?? "",
  });

  const operator = { ...options.operator };
  const { email, name } = newOperatorSchema.shape;
  operator.name ??= await question("Your name, as the first operator", (answer) => fault(name, answer));
  operator.email ??= await question("Your e-mail address", (answer) => fault(email, answer));
  return { ...options, settings, embedded, brand, operator };
}

/** Returns what is wrong with an answer, as a sentence; null: nothing. */
function fault(schema: z.ZodType, value: unknown): string | null {
  const checked = schema.safeParse(value);
  if (checked.success) return null;
  const message = checked.error.issues[0]?.message ?? "That is wrong.";
  return /^[a-z]/.test(message) ? `That ${message}` : message;
}
