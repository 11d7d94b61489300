import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { domainToASCII } from "node:url";
import { environmentSchema } from "../environment-schema.ts";
import type { Settings } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";

export const SETUP_USAGE = `farthing setup [options]

Makes the settings, the database, the first brand and the first operator. On a terminal it asks for what the options leave out.
Everything is checked before anything is written. A second run with the same options finishes what a first one began.

  --domain <host>          where the club answers, without https://; repeat for more; the first is the main one
  --brand-name <text>      as members read it
  --brand <slug>           its short name; made from the name by default
  --audience <text>        who it is for: "teachers and school staff"
  --member-type <slug>     who may join; repeat, or separate with commas
  --theme <name>           its look; the first of the themes by default
  --support <e-mail>       where members write to; --mail-from by default
  --operator-email <e-mail>, --operator-name <text>   the first operator, an owner
  --database-url <url>     a PostgreSQL 15 to 18; or
  --embedded               the PostgreSQL of the release, in the data folder: for small installations
  --data-dir <folder>      /var/lib/farthing by default
  --payouts-dir <folder>   where commands write files for the bank and packs of claims; "payouts" in the data folder by default
  --smtp-url <url>, --mail-from <e-mail>              the mail server and the sender
  --trust-proxy <networks> where the proxy is; loopback by default
  --set <NAME>=<value>     any other setting of docs/configuration.md: networks, cards, payouts; repeat for more
  --set <NAME>             takes the value from the environment, where other accounts of the machine can't read it
  --env <file>             the file to write; /etc/farthing.env by default
  --user <account>         as root: the account that runs the server and owns the file; farthing by default
  --replace                changes an existing file; secrets and what no option names stay
  --no-questions           asks nothing, also on a terminal`;

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const flag = { type: "boolean", default: false } as const;

const options = {
  domain: list,
  "brand-name": text,
  brand: text,
  audience: text,
  "member-type": list,
  theme: text,
  support: text,
  "operator-email": text,
  "operator-name": text,
  "database-url": text,
  embedded: flag,
  "data-dir": text,
  "payouts-dir": text,
  "smtp-url": text,
  "mail-from": text,
  "trust-proxy": text,
  set: list,
  env: text,
  user: text,
  replace: flag,
  "no-questions": flag,
  help: flag,
} as const satisfies ParseArgsOptionsConfig;

/** Options that are settings. */
const settingOf = {
  "database-url": "DATABASE_URL",
  "data-dir": "DATA_DIR",
  "payouts-dir": "PAYOUTS_DIR",
  "smtp-url": "SMTP_URL",
  "mail-from": "MAIL_FROM",
  "trust-proxy": "TRUST_PROXY",
} as const;

/** What runtimes read themselves and a server may need. */
const OF_RUNTIMES = ["NODE_OPTIONS", "TMPDIR"];

/** What was stated, and is not checked yet. */
export interface SetupOptions {
  settings: Settings;
  embedded: boolean;
  brand: {
    slug?: string;
    name?: string;
    audience?: string;
    theme?: string;
    supportEmail?: string;
    hosts?: string[];
    memberTypes?: string[];
  };
  operator: { email?: string; name?: string };
  file: string;
  user: string | null;
  replace: boolean;
  asks: boolean;
  help: boolean;
  /** What is wrong with the words themselves, as sentences. */
  problems: string[];
}

/**
 * Reads the words of the command.
 * @param variables the process's own, for `--set NAME`
 * @throws SetupError for words that can't be read as options at all
 */
export function readSetupOptions(words: readonly string[], variables: Settings): SetupOptions {
  const values = parsed(words);
  const problems: string[] = [];
  const settings = Object.fromEntries(
    Object.entries(settingOf).flatMap(([option, name]) => {
      const value = values[option as keyof typeof settingOf];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  for (const typed of values.set ?? []) {
    const at = typed.indexOf("=");
    const name = at < 0 ? typed : typed.slice(0, at);
    const value = at < 0 ? variables[name] : typed.slice(at + 1);
    if (!Object.hasOwn(environmentSchema.shape, name) && !OF_RUNTIMES.includes(name))
      problems.push(`--set ${name}: there is no such setting. docs/configuration.md lists all.`);
    else if (value === undefined)
      problems.push(`--set ${name}: the environment has no ${name}. Export it, or write --set ${name}=<value>.`);
    else settings[name] = value;
  }
  if (values.embedded && settings["DATABASE_URL"] !== undefined)
    problems.push("--embedded and DATABASE_URL exclude each other: give one of them.");
  return {
    settings,
    embedded: values.embedded,
    brand: stated({
      slug: values.brand,
      name: values["brand-name"],
      audience: values.audience,
      theme: values.theme,
      supportEmail: values.support,
      hosts: values.domain?.flatMap(separated).map((host) => domainToASCII(host) || host),
      memberTypes: values["member-type"]?.flatMap(separated),
    }),
    operator: stated({ email: values["operator-email"], name: values["operator-name"] }),
    file: values.env ?? variables["FARTHING_ENV_FILE"] ?? "/etc/farthing.env",
    user: values.user ?? null,
    replace: values.replace,
    asks: !values["no-questions"],
    help: values.help,
    problems,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new SetupError([(error as Error).message]);
  }
}

/** Returns the parts of a comma-separated list. */
export const separated = (value: string) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function stated<T extends object>(values: T): Stated<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Stated<T>;
}
