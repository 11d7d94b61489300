import escapeHtml from "escape-html";
import { EXPORT_FILES } from "./export-files.ts";

/**
 * Returns the index page of an archive, which names its files and links to them. It needs no other file and no script.
 */
export function exportIndex({
  brand,
  memberName,
  now,
  counts,
  attachments,
}: {
  brand: { name: string };
  memberName: string;
  now: Date;
  counts: ReadonlyMap<string, number>;
  attachments: readonly string[];
}): string {
  const made = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Europe/London" });
  const rows = EXPORT_FILES.map(({ name, title, about }) => {
    const count = counts.get(name) ?? 0;
    const links =
      count === 0
        ? "Nothing"
        : `<a href="csv/${name}.csv">Table (CSV)</a> · <a href="json/${name}.json">For programs (JSON)</a>`;
    return `<tr><th scope="row">${escapeHtml(title)}<small>${escapeHtml(about)}</small></th><td>${count}</td><td>${links}</td></tr>`;
  });
  const files = attachments.map((name) => `<li><a href="attachments/${escapeHtml(name)}">${escapeHtml(name)}</a></li>`);
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Your data at ${escapeHtml(brand.name)}</title>
<style>
:root{color-scheme:light dark}
body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
table{width:100%;border-collapse:collapse}
th,td{padding:.6rem .5rem;border-bottom:1px solid #8884;text-align:left;vertical-align:top}
td:nth-child(2){text-align:right;font-variant-numeric:tabular-nums}
small{display:block;font-weight:400;opacity:.8}
</style>
</head>
<body>
<h1>Your data at ${escapeHtml(brand.name)}</h1>
<p>${escapeHtml(memberName)}, made on ${escapeHtml(made.format(now))}. Times in the files are UTC; amounts are pence.</p>
<p>Keep this archive as you would keep a bank statement: it says a lot about you.</p>
<table>
<thead><tr><th scope="col">What</th><th scope="col">Rows</th><th scope="col">Files</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${files.length > 0 ? `<h2>Files you sent us</h2>\n<ul>${files.join("")}</ul>\n` : ""}</body>
</html>
`;
}
