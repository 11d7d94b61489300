// npm run setup -- <options>, and farthing setup
import { spawn } from "node:child_process";
import { chown, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readVariables } from "../env.ts";
import { askQuestions } from "../setup/ask-questions.ts";
import {
  type Account,
  fileProblems,
  findAccount,
  payoutsDirFault,
  reachProblems,
  readBrand,
  readOperator,
  readSettings,
} from "../setup/check-setup.ts";
import { makeSettings } from "../setup/make-settings.ts";
import { openTerminal } from "../setup/open-terminal.ts";
import { readSettingsFile, type Settings, writeSettingsFile } from "../setup/settings-file.ts";
import { SetupError } from "../setup/setup-error.ts";
import { readSetupOptions, SETUP_USAGE, type SetupOptions } from "../setup/setup-options.ts";

const finish = fileURLToPath(new URL("../setup/finish-setup.ts", import.meta.url));

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isAborted = error instanceof Error && error.name === "AbortError";
  if (!(error instanceof SetupError || isAborted)) throw error;
  console.error(isAborted ? "\nStopped. Nothing was changed." : error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<number> {
  const variables = readVariables();
  const options = readSetupOptions(words, variables);
  if (options.help) {
    console.log(SETUP_USAGE);
    return 0;
  }
  const file = resolve(options.file);
  const existing = await existingSettings(file);
  const asks = options.asks && process.stdin.isTTY;
  // Nobody answers questions before a command that is refused anyway.
  if (asks && options.problems.length > 0) throw new SetupError(options.problems);
  const answered = asks ? await askOnTerminal(options, existing) : options;
  const { settings, club, account } = await checked(answered, file, existing);

  await makeFolders(settings, account);
  const isKept = existing !== null && !answered.replace;
  if (!isKept) await writeSettingsFile(file, settings, account);
  console.log(`${file} ${isKept ? "stays as it is" : "is written, for its owner alone to read"}.`);
  const code = await runFinish(settings, club, account, variables);
  if (code === 0) console.log(nextSteps(file));
  return code;
}

async function existingSettings(file: string): Promise<Settings | null> {
  try {
    return await readSettingsFile(file);
  } catch (error) {
    throw new SetupError([`${file} can't be read: ${(error as NodeJS.ErrnoException).code ?? "it has a fault"}.`]);
  }
}

async function askOnTerminal(options: SetupOptions, existing: Settings | null): Promise<SetupOptions> {
  const terminal = openTerminal();
  try {
    return await askQuestions(options, existing, terminal);
  } finally {
    terminal.close();
  }
}

/** Checks everything. @throws SetupError with every problem at once, and never with a value that may be secret */
async function checked(options: SetupOptions, file: string, existing: Settings | null) {
  const { settings, changed } = makeSettings({ stated: options.settings, ...options, existing });
  const isKept = existing !== null && !options.replace;
  const problems = [...options.problems];
  if (isKept && changed.length > 0)
    problems.push(
      `${file} is there and has other values for ${changed.join(", ")}. Leave these out, or give --replace, which keeps the file's secrets.`,
    );
  if (settings["DATABASE_URL"] === undefined && !options.embedded && existing === null)
    problems.push(
      "DATABASE_URL is not set. Give --database-url or --set DATABASE_URL, or --embedded for the PostgreSQL of the release.",
    );
  const read = readSettings(settings);
  const brand = readBrand(options.brand, settings["MAIL_FROM"]);
  const operator = readOperator(options.operator);
  const found = findAccount(options.user, process.getuid?.() === 0);
  for (const part of [read, brand, operator]) if ("problems" in part) problems.push(...part.problems);
  if ("problem" in found) problems.push(found.problem);
  if (!isKept) problems.push(...(await fileProblems(file)));
  const ofPayouts = isKept ? null : payoutsDirFault(settings["PAYOUTS_DIR"] ?? "");
  if (ofPayouts !== null) problems.push(ofPayouts);
  if ("config" in read) {
    console.log("Checking the database and the mail server ...");
    problems.push(...(await reachProblems(read.config)));
  }
  if (problems.length > 0 || "problems" in brand || "problems" in operator || "problem" in found)
    throw new SetupError(problems);
  return { settings, club: { brand: brand.statement, operator: operator.operator }, account: found.account };
}

/** Makes the folders that the settings name, for the account of the server alone. */
async function makeFolders(settings: Settings, account: Account): Promise<void> {
  for (const folder of [settings["DATA_DIR"], settings["TMPDIR"]])
    await makeFolder(folder, { account, mode: 0o750, option: "--data-dir" });
  // One that is there keeps its owner: it may be somebody's who sends the files.
  if (!(await isThere(settings["PAYOUTS_DIR"])))
    await makeFolder(settings["PAYOUTS_DIR"], { account, mode: 0o700, option: "--payouts-dir" });
}

async function makeFolder(
  folder: string | undefined,
  { account, mode, option }: { account: Account; mode: number; option: string },
): Promise<void> {
  if (folder === undefined) return;
  try {
    // Folders above it stay open to pass through, as others make them.
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder, { recursive: true, mode });
    if (account) await chown(folder, account.uid, account.gid);
  } catch (error) {
    throw new SetupError([
      `The folder ${folder} can't be made: ${(error as NodeJS.ErrnoException).code ?? ""}. Make it, or give another ${option}.`,
    ]);
  }
}

async function isThere(folder = ""): Promise<boolean> {
  return await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Migrates, and makes brand and operator, in a process that has the new settings and nothing of root. Returns its exit code. */
function runFinish(settings: Settings, club: object, account: Account, variables: Settings): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [finish], {
      cwd: "/",
      // The second says how commands are typed here.
      env: { ...settings, ...pick(variables, ["PATH", "FARTHING_ENV_FILE"]) },
      stdio: ["pipe", "inherit", "inherit"],
      ...account,
    });
    child.on("error", failed);
    child.on("exit", (code) => done(code ?? 1));
    // A process that ended before it read this has said why.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(club));
  });
}

function pick(variables: Settings, names: readonly string[]): Settings {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)));
}

function nextSteps(file: string): string {
  const named = file === "/etc/farthing.env" ? "" : `--env ${file} `;
  return [
    "",
    "Next:",
    `  farthing ${named}start        serves the club; as a service: systemctl enable --now farthing@3000`,
    `  farthing ${named}doctor       looks at the installation and says what is left to do`,
    `  farthing ${named}catalogue:import   brings retailers and offers (docs/catalogue-import.md)`,
  ].join("\n");
}
