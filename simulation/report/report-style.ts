/** The report's whole style: it loads nothing. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --page: #f6f5f1; --card: #fff; --ink: #1d2521; --soft: #5b6760; --line: #dfe3de; --good: #17663f; --good-page: #e4f2e9;
  --bad: #a3231b; --bad-page: #fbe7e5; --c1: #c9a227; --c2: #5b8fb9; --c3: #2f8f5b; --c4: #7d6bb0; --c5: #24493a; }
@media (prefers-color-scheme: dark) { :root { --page: #121614; --card: #1b211e; --ink: #e9eee9; --soft: #9fada5; --line: #303a34; --good: #7fd4a4;
  --good-page: #16301f; --bad: #ff9d94; --bad-page: #3a1b18; --c1: #d9b84a; --c2: #7fb0d8; --c3: #55b881; --c4: #a393d6; --c5: #a9cdb9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: clamp(1.6rem, 4vw, 2.3rem); line-height: 1.15; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.2rem; margin: 0 0 .25rem; }
p { margin: 0 0 1rem; max-width: 65ch; } .soft, caption { color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.4rem; margin-top: 1.25rem; overflow-x: auto; }
.proofs { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.proofs li { border-radius: 14px; padding: 1rem 1.15rem; background: var(--good-page); } .proofs li.bad { background: var(--bad-page); }
.proofs b { display: block; font-size: 1.7rem; line-height: 1.2; color: var(--good); font-variant-numeric: tabular-nums; } .proofs .bad b { color: var(--bad); }
.proofs span { font-size: .9rem; }
svg { width: 100%; min-width: 34rem; height: auto; display: block; }
.grid { stroke: var(--line); } .tick { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; } .mark { fill: var(--bad); }
.fill-1 { fill: var(--c1); } .fill-2 { fill: var(--c2); } .fill-3 { fill: var(--c3); } .fill-4 { fill: var(--c4); } .fill-5 { fill: var(--c5); }
.back-1 { background: var(--c1); } .back-2 { background: var(--c2); } .back-3 { background: var(--c3); } .back-4 { background: var(--c4); } .back-5 { background: var(--c5); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; margin: .5rem 0 0; font-size: .9rem; }
.swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: 3px; margin-right: .45rem; vertical-align: -1px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; } th, td { text-align: left; padding: .45rem .6rem .45rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); } tr:last-child td { border-bottom: 0; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.share { width: 30%; min-width: 6rem; } .share span { display: block; height: .65rem; border-radius: 4px; background: var(--c4); min-width: 2px; }
`;
