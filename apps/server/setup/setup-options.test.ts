import { describe, expect, test } from "vitest";
import { readSetupOptions, SETUP_USAGE } from "./setup-options.ts";

describe("P3 the options of a first run", () => {
  test("P3 an option and a setting that do not exist are refused, so that no typing error is silent", () => {
    expect(() => readSetupOptions(["--domian", "club.example"], {})).toThrow(/--domian/);
    expect(() => readSetupOptions(["club.example"], {})).toThrow(/club\.example/);
    const words = [
      "--set",
      "SMPT_URL=x",
      "--set",
      "STRIPE_SECRET_KEY",
      "--embedded",
      "--set",
      "DATABASE_URL=postgres://h/d",
    ];
    expect(readSetupOptions(words, {}).problems).toEqual([
      expect.stringContaining("SMPT_URL: there is no such setting"),
      expect.stringContaining("the environment has no STRIPE_SECRET_KEY"),
      expect.stringContaining("exclude each other"),
    ]);
  });

  test("S1 --set without a value takes it from the environment, and nothing else is taken from there", () => {
    const variables = { SMTP_URL: "smtp://mail.example", AWIN_API_TOKEN: "a-token", PATH: "/bin" };
    expect(readSetupOptions(["--set", "SMTP_URL", "--set", "PORT=4000"], variables).settings).toEqual({
      SMTP_URL: "smtp://mail.example",
      PORT: "4000",
    });
  });

  test("P3 an option that is a setting is one", () => {
    const words = ["--data-dir", "/srv/club", "--payouts-dir", "/srv/bank", "--trust-proxy", "10.0.0.0/8"];
    expect(readSetupOptions(words, {}).settings).toEqual({
      ...{ DATA_DIR: "/srv/club", PAYOUTS_DIR: "/srv/bank", TRUST_PROXY: "10.0.0.0/8" },
    });
  });

  test("P3 the file is that of --env, of FARTHING_ENV_FILE, or /etc/farthing.env", () => {
    const files = [
      readSetupOptions(["--env", "a.env"], { FARTHING_ENV_FILE: "b.env" }),
      readSetupOptions([], { FARTHING_ENV_FILE: "b.env" }),
      readSetupOptions([], {}),
    ];
    expect(files.map(({ file }) => file)).toEqual(["a.env", "b.env", "/etc/farthing.env"]);
  });

  test("P3 a host is stored as browsers send it, and every option is explained", () => {
    expect(readSetupOptions(["--domain", "bücher.example,club.example"], {}).brand.hosts).toEqual([
      "xn--bcher-kva.example",
      "club.example",
    ]);
    for (const option of ["--domain", "--operator-name", "--set", "--replace", "--user", "--no-questions"])
      expect(SETUP_USAGE).toContain(option);
  });
});
