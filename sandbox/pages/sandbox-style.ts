/** The stylesheet of the sandbox's own pages. */
export const SANDBOX_STYLE = `
:root{--ink:#1b1f24;--muted:#5a6472;--line:#d8dee4;--paper:#fff;--ground:#f5f7f9;--blue:#1756a9;--blue-tint:#e8f0fb;--green:#17633a;--green-tint:#e2f4e9;--red:#a11d1d;--red-tint:#fbe7e5;--amber:#7a4b00;--amber-tint:#fdf1d6;--mono:ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;color-scheme:light}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:400 .9375rem/1.5 system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:0}h2{font-size:1.1rem;margin:0}h3{font-size:.95rem;margin:0}p{margin:0}
a{color:var(--blue)}code,.mono{font-family:var(--mono);font-size:.86em;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--blue);outline-offset:2px;border-radius:4px}
.wide{width:min(84rem,100% - 2rem);margin-inline:auto}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:#fff;padding:.5rem 1rem;z-index:3}
.bar{background:#14202e;color:#fff}.bar .wide{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 2rem;padding-block:.6rem}
.brand{display:inline-flex;gap:.6rem;align-items:center;color:#fff;text-decoration:none;font-weight:700}
.bar ul{display:flex;flex-wrap:wrap;list-style:none;margin:0;padding:0;gap:.25rem}.bar li a{display:block;padding:.5rem .7rem;border-radius:6px;color:#d6dee8;text-decoration:none}
.bar li a:hover{color:#fff;background:#25354a}.bar li a[aria-current]{color:#fff;background:#2f4666}.bar :focus-visible{outline-color:#9cc3ff}
main{padding-block:1.75rem 4rem;display:grid;gap:1.5rem}main>*{min-width:0}
.lead{color:var(--muted);max-width:48rem;margin-top:.4rem;font-size:1rem}
.message{background:var(--blue-tint);border-inline-start:4px solid var(--blue);padding:.6rem .9rem;border-radius:0 6px 6px 0}
.panel{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.1rem 1.25rem;display:grid;gap:.9rem}
.panel>header{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:baseline;justify-content:space-between}.panel>header p,.small{color:var(--muted);font-size:.86rem}
.tiles{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));list-style:none;margin:0;padding:0}
.tiles li{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem}.tiles b{display:block;font-size:1.7rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles h2 a{text-decoration:none}.tiles h2 a:hover{text-decoration:underline}.tiles p{color:var(--muted);margin-top:.35rem}
.scroll{overflow-x:auto;margin-inline:-1.25rem;padding-inline:1.25rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}th,td{text-align:start;padding:.55rem .75rem .55rem 0;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--muted);font-weight:600;font-size:.8rem;white-space:nowrap;padding-block:.2rem .5rem}.num{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody th{font-weight:600;white-space:nowrap}td time{white-space:nowrap}.gone{color:var(--muted);text-decoration:line-through}
.tag{display:inline-block;padding:.1rem .5rem;border-radius:1rem;font-size:.78rem;font-weight:600;background:#e9edf1;color:#39434e;white-space:nowrap}
.tag.requires_action,.tag.requires_capture,.tag.pending,.tag.held,.tag.waiting{background:var(--amber-tint);color:var(--amber)}.tag.approved,.tag.delivered,.tag.succeeded,.tag.paid{background:var(--green-tint);color:var(--green)}.tag.declined,.tag.failed,.tag.canceled,.tag.deleted{background:var(--red-tint);color:var(--red)}
button,.button{display:inline-flex;align-items:center;min-height:2.15rem;padding:.25rem .75rem;border:1px solid #b9c3cd;border-radius:6px;background:#fff;color:var(--ink);font:600 .84rem/1.2 inherit;font-family:inherit;cursor:pointer;text-decoration:none}
button:hover,.button:hover{background:#eef2f6;border-color:#8b98a6}button.main{background:var(--blue);border-color:var(--blue);color:#fff}button.main:hover{background:#10458a}button.bad{color:var(--red);border-color:#dcb3b0}button.bad:hover{background:var(--red-tint)}
.acts{display:flex;flex-wrap:wrap;gap:.4rem .5rem;align-items:center;min-width:min(30rem,70vw)}.acts form,.inline{display:inline-flex;flex-wrap:wrap;gap:.35rem;align-items:center}
input,select{min-height:2.15rem;padding:.2rem .5rem;border:1px solid #8b98a6;border-radius:6px;background:#fff;color:inherit;font:inherit;font-size:.86rem;max-width:100%}input[type=checkbox]{min-height:0;width:1.1rem;height:1.1rem;accent-color:var(--blue)}
input.short{width:7rem}.visually{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.switches{display:grid;gap:.6rem 2rem;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr))}.switches label{display:flex;gap:.6rem;align-items:flex-start}.switches label span{color:var(--muted);display:block;font-size:.84rem}.switches label.inline{display:grid;gap:.25rem;justify-items:start;align-content:start}.switches label.inline input:not(.short){width:100%}
.panel-form{display:grid;gap:1rem}.empty{color:var(--muted);padding:.6rem 0}.question{display:grid;gap:.8rem;margin-block:1rem}.question input{min-height:2.75rem;font-size:1.1rem}.question .acts{min-width:0}.question button{min-height:2.75rem;padding-inline:1.2rem;font-size:1rem}.plain main{max-width:38rem;margin:12vh auto;padding:1.5rem}details summary{cursor:pointer;color:var(--blue)}pre{background:var(--ground);padding:.75rem;border-radius:6px;overflow:auto;font:.8rem/1.5 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 0}
.shops{list-style:none;margin:0;padding:0;display:grid;gap:.5rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(min(16rem,100%),1fr))}.shops li{display:flex;gap:.6rem;align-items:center;min-width:0}.shops img{flex:none}.shops a{overflow-wrap:anywhere}
iframe{width:100%;height:60vh;border:1px solid var(--line);border-radius:8px;background:#fff}
@media(max-width:60rem){.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.stack,.stack tbody{display:block}.stack tr{display:grid;grid-template-columns:1fr auto;gap:.15rem 1rem;border-top:1px solid var(--line);padding-block:.8rem}.stack th,.stack td{border:0;padding:0;display:block}.stack td.full{grid-column:1/-1}.stack .acts{margin-top:.4rem;min-width:0}.stack .num{text-align:start}.stack td[data-label]::before{content:attr(data-label) " ";color:var(--muted);font-weight:400}}
`;

/** The icon: a flag on a sand castle. */
export const SANDBOX_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#f1c76a"/><path d="M5 27V15h3v3h3v-3h3v3h4v-3h3v3h3v-3h3v12Z" fill="#8a5a1d"/><path d="M16 15V5l7 3-6 3" fill="#1756a9" stroke="#14202e" stroke-width="1"/><path d="M13 27v-4a3 3 0 0 1 6 0v4Z" fill="#14202e"/></svg>';
