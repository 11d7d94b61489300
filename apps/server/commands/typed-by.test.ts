import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { typedBy } from "../env.ts";

const folder = mkdtempSync(join(tmpdir(), "farthing-typed-by-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("A1 C6 a command is recorded with the account that it runs under, or with who typed it", () => {
  expect(typedBy({})).toBe(userInfo().username);
  expect(typedBy({ FARTHING_TYPED_BY: "alice" })).toBe("alice");
});

/** Runs the lines of bin/farthing that change the account, with programs that only say what they were given. */
function run(env: Record<string, string>, uid: string): string {
  const lines = readFileSync("bin/farthing", "utf8");
  const part = lines.slice(lines.indexOf('if [ -r "$settings" ]'), lines.indexOf('elif [ -n "${FARTHING_ENV:-}" ]'));
  const say = (name: string, words: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${words}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  say("id", `[ "$1" = -u ] && echo ${uid} || echo root`);
  say("stat", "echo 990");
  say("logname", "exit 1");
  say("setpriv", 'echo "typed by ${FARTHING_TYPED_BY-nobody}"');
  const script = `settings=/dev/null root=/ file=x node=true\n${part}\nfi\necho "typed by \${FARTHING_TYPED_BY-nobody}"`;
  return execFileSync("/bin/sh", ["-c", script], {
    env: { PATH: `${folder}:/usr/bin:/bin`, ...env },
    encoding: "utf8",
  }).trim();
}

test("A1 C6 two people who type commands as root are told apart, and nobody else can say who they are", () => {
  expect(run({ SUDO_USER: "alice" }, "0")).toBe("typed by alice");
  expect(run({}, "0")).toBe("typed by root");
  expect(run({ FARTHING_TYPED_BY: "somebody else" }, "1000")).toBe("typed by nobody");
  expect(run({ FARTHING_TYPED_BY: "somebody else", SUDO_USER: "alice" }, "0")).toBe("typed by alice");
});
