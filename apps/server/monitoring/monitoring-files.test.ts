import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { watchClub } from "./club-metrics.ts";
import { openMetrics } from "./metrics.ts";

// The alerts, the dashboard and the documented list name metrics: they must be those that a process answers with (P6).

const root = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const rules = read("deploy/prometheus/farthing.rules.yml");
const dashboard = JSON.parse(read("deploy/grafana/farthing.json")) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const expressions = [
  ...(parse(rules) as { groups: { rules: { alert: string; expr: string }[] }[] }).groups.flatMap(({ rules: group }) =>
    group.map(({ alert, expr }) => ({ where: alert, expr })),
  ),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

const { db } = await testDatabase();
/** Every metric with the names of its labels. */
const metrics = new Map<string, Set<string>>();
beforeAll(async () => {
  await db
    .insertInto("issuer_floats")
    .values({ issuer: "tillo", float_pence: 1, read_at: new Date("2026-11-20T12:00:00Z") })
    .execute();
  const opened = openMetrics({ pool: { totalCount: 1, idleCount: 1, waitingCount: 0 } });
  opened.watchCachedBytes(() => 0);
  opened.watchStandby(() => true);
  watchClub(opened.registry, db, { now: () => new Date("2026-11-20T12:00:00Z"), backedUpAt: () => null });
  opened.request("/", 200, 1);
  opened.click(1);
  opened.pageCache("hit");
  opened.pageRefused("queue");
  opened.logIn("refused");
  opened.telemetry("stored", 1);
  for (const { name, values } of await opened.registry.getMetricsAsJSON())
    metrics.set(name, new Set(values.flatMap(({ labels }) => Object.keys(labels))));
});

describe("P6 what goes with the metrics", () => {
  test("each alert and each panel names metrics and labels that exist", () => {
    expect(expressions.length).toBeGreaterThan(30);
    for (const { where, expr } of expressions) {
      const named = [...expr.matchAll(/\b(farthing_\w+|up)(?:\{([^}]*)\})?/g)];
      expect(named, where).not.toEqual([]);
      for (const [, name = "", labels = ""] of named) {
        if (name === "up") continue;
        const known = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|count|sum)$/, ""));
        expect(known, `${where}: ${name}`).toBeDefined();
        for (const [, label = ""] of labels.matchAll(/(\w+)\s*(?:=~?|!~|!=)/g))
          expect([...(known ?? []), "instance", "job"], `${where}: ${name}`).toContain(label);
      }
    }
  });

  test("the documented list has every metric of Farthing with its labels, and no other", () => {
    const rows = [...read("docs/operations/monitoring.md").matchAll(/^\| `(farthing_\w+)` +\| ([^|]*)\|/gm)];
    const documented = rows.map(([, name = "", labels = ""]) => [
      name,
      [...labels.matchAll(/\w+/g)].map(String).sort(),
    ]);
    const real = [...metrics]
      .filter(([name]) => !/^farthing_(process|nodejs)_/.test(name))
      .map(([name, labels]) => [name, [...labels].filter((label) => label !== "le").sort()]);
    expect(new Map(documented as [string, string[]][])).toEqual(new Map(real as [string, string[]][]));
  });

  // Debian's package prometheus has it.
  const promtool = (...args: string[]) =>
    spawnSync("promtool", args, { cwd: path.join(root, "deploy/prometheus"), encoding: "utf8" });
  const isInstalled = promtool("--version").status === 0;
  test.skipIf(!isInstalled)("promtool accepts the alerts, which fire when they should and not before", () => {
    expect(promtool("check", "rules", "farthing.rules.yml")).toMatchObject({ status: 0 });
    expect(promtool("test", "rules", "farthing.rules.test.yml")).toMatchObject({ status: 0 });
  });
});
