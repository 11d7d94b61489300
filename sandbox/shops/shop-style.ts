import type { ShopLook } from "./shop-look.ts";

/** Returns a shop's stylesheet: its colours and fonts, the rules of all shops, and its layout. */
export function shopStyle(look: ShopLook): string {
  const { palette } = look;
  return `:root{--brand:${palette.brand};--on-brand:${palette.onBrand};--ink:${palette.ink};--muted:${palette.muted};--paper:${palette.paper};--tint:${palette.tint};--accent:${palette.accent};--display:${look.display};--text:${look.text};--radius:${look.radius}}
${SHARED_STYLE}
${layouts[look.layout]}`;
}

const SHARED_STYLE = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--paper);color:var(--ink);font:400 1rem/1.55 var(--text);display:flex;flex-direction:column;min-height:100vh}
h1,h2,h3,.name{font-family:var(--display);line-height:1.15;margin:0;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0}a{color:inherit}img{display:block;max-width:100%;height:auto}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:2}
.wrap{width:min(72rem,100% - 2rem);margin-inline:auto}
.button,button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.5rem 1.15rem;border:1px solid var(--brand);border-radius:var(--radius);background:var(--brand);color:var(--on-brand);font:600 .95rem/1.2 var(--text);text-decoration:none;cursor:pointer}
.button:hover,button:hover{background:color-mix(in srgb,var(--brand) 86%,#000)}
button.quiet{background:transparent;color:var(--ink);border-color:color-mix(in srgb,var(--ink) 30%,transparent)}
button.quiet:hover{background:var(--tint)}
input,select{min-height:2.75rem;padding:.4rem .7rem;border:1px solid color-mix(in srgb,var(--ink) 45%,transparent);border-radius:min(var(--radius),8px);background:#fff;color:#111;font:inherit;max-width:100%}
.notice{font-size:.8rem;line-height:1.4;background:var(--ink);color:var(--paper);padding:.45rem 0}
.notice a{color:inherit}
.top{border-bottom:1px solid color-mix(in srgb,var(--ink) 14%,transparent)}
.top .wrap{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.5rem;padding-block:.9rem}
.name{font-size:1.35rem;font-weight:700;text-decoration:none;letter-spacing:-.01em}
.departments{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:0;padding:0;font-size:.95rem}
.departments a{display:inline-block;padding:.4rem 0;text-decoration:none;border-bottom:2px solid transparent}
.departments a:hover,.departments a[aria-current]{border-color:var(--accent)}
.to-basket{margin-inline-start:auto;display:inline-flex;gap:.5rem;align-items:center;padding:.4rem 0;text-decoration:none;font-weight:600}
.to-basket b{display:inline-grid;place-items:center;min-width:1.6rem;height:1.6rem;border-radius:1rem;padding-inline:.4rem;background:var(--brand);color:var(--on-brand);font-size:.8rem}
main{flex:1;padding-block:1.5rem 4rem}
.hero h1{font-size:clamp(2.1rem,6vw,3.75rem);letter-spacing:-.02em}
.hero p{font-size:clamp(1.05rem,2.2vw,1.3rem);margin-top:.6rem;color:var(--muted)}
.shelf{display:flex;align-items:baseline;justify-content:space-between;gap:1rem;margin-block:2rem 1rem}
.shelf h2{font-size:1.5rem}.shelf span{color:var(--muted);font-size:.95rem}
.goods{list-style:none;margin:0;padding:0;display:grid;gap:1.75rem 1.25rem;grid-template-columns:repeat(auto-fill,minmax(min(10rem,44%),1fr))}
.goods li{display:flex;flex-direction:column;gap:.6rem;min-width:0}
.goods .picture{border-radius:var(--radius);overflow:hidden;background:var(--tint)}
.goods img{width:100%;aspect-ratio:1;object-fit:cover;transition:transform .2s}
.goods a:hover img{transform:scale(1.03)}
.goods a{text-decoration:none;display:grid;gap:.6rem}
.goods h3{font-size:1.02rem;font-weight:600}
.price{font-variant-numeric:tabular-nums;font-weight:700}.price s{font-weight:400;color:var(--muted);margin-inline-start:.4rem}
.goods form{margin-top:auto}.goods button{width:100%;padding-inline:.5rem}
.product{display:grid;gap:1.5rem;margin-top:1rem}.product img{border-radius:var(--radius);width:100%}
.product h1{font-size:clamp(1.7rem,4vw,2.6rem)}.product .price{font-size:1.5rem;margin-block:.75rem}
.product form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;margin-top:1.25rem}
.field input{width:100%}.field{display:grid;gap:.3rem;font-weight:600;font-size:.9rem}
.facts{margin:1.5rem 0 0;padding:0;list-style:none;border-top:1px solid color-mix(in srgb,var(--ink) 14%,transparent)}
.facts li{padding:.7rem 0;border-bottom:1px solid color-mix(in srgb,var(--ink) 14%,transparent);font-size:.95rem}
.page h1{font-size:clamp(1.8rem,4vw,2.6rem);margin-block:1rem .4rem}
.lines{list-style:none;padding:0;margin:1rem 0}
.lines li{display:grid;grid-template-columns:4.5rem 1fr auto;gap:.35rem 1rem;align-items:center;padding-block:.9rem;border-bottom:1px solid color-mix(in srgb,var(--ink) 14%,transparent)}
.lines img{border-radius:min(var(--radius),8px);grid-row:span 2;align-self:start}.lines h2{font-size:1rem;font-family:var(--text)}.lines .amount{font-weight:600;font-variant-numeric:tabular-nums;text-align:right}
.lines form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;grid-column:2/-1;font-size:.9rem}.lines select{min-height:2.5rem}.lines button{min-height:2.5rem;padding-block:.2rem}
.checkout{display:grid;gap:2rem}
.summary{background:var(--tint);border-radius:var(--radius);padding:1.25rem;align-self:start}
.summary dl{display:grid;grid-template-columns:1fr auto;gap:.5rem 1rem;margin:0 0 1rem}.summary dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
.summary .total{font-size:1.25rem;font-weight:700;border-top:2px solid var(--ink);padding-top:.6rem}
.summary form{display:grid;gap:.75rem}.summary .voucher{grid-template-columns:minmax(0,1fr) auto;align-items:end;margin-bottom:1.25rem}
fieldset{border:0;padding:0;margin:0;display:grid;gap:.35rem}legend{font-weight:600;font-size:.9rem;padding:0;margin-bottom:.35rem}
fieldset label{display:flex;gap:.6rem;align-items:center;min-height:2rem}fieldset input{min-height:0;width:1.2rem;height:1.2rem;accent-color:var(--brand)}
.message{padding:.7rem 1rem;border-inline-start:4px solid var(--accent);background:color-mix(in srgb,var(--paper) 80%,var(--tint));font-size:.95rem;margin-bottom:1rem}
.thanks{max-width:44rem}.thanks .lines li{grid-template-columns:5rem 1fr auto}.thanks .lines img{grid-row:auto}.thanks .summary dt:first-child,.thanks .summary dt:first-child+dd{border:0;padding:0}.thanks .summary+p{margin-top:1.5rem}.thanks .reference{font:700 1.3rem/1.3 ui-monospace,"DejaVu Sans Mono",monospace}
.bottom{border-top:1px solid color-mix(in srgb,var(--ink) 14%,transparent);padding-block:1.5rem;font-size:.9rem;color:var(--muted)}
.bottom .wrap{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:center;justify-content:space-between}
.bottom form{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}.bottom button{min-height:2.5rem;padding:.25rem .8rem;font-size:.9rem}
@media(min-width:48rem){.product{grid-template-columns:1fr 1fr;gap:3rem;align-items:center}.checkout{grid-template-columns:1fr 22rem;gap:3rem}.lines li{grid-template-columns:5rem 1fr auto}}
@media(min-width:64rem){.goods{grid-template-columns:repeat(4,1fr);gap:2.5rem 1.5rem}}
@media(prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
`;

const layouts: Record<ShopLook["layout"], string> = {
  // Centred, with much space: the name in the middle, one large picture.
  boutique: `
.top .wrap{justify-content:center;text-align:center;padding-block:1.4rem}.name{flex-basis:100%;font-size:1.9rem;font-weight:500}.to-basket{margin:0}
.hero{text-align:center;padding-block:2.5rem 1rem;max-width:44rem;margin-inline:auto}.hero .collage{display:none}
.goods h3,.goods .price{text-align:center}.shelf{justify-content:center;flex-wrap:wrap;text-align:center;border-top:1px solid color-mix(in srgb,var(--ink) 14%,transparent);padding-top:2rem}
.goods button{background:transparent;color:var(--ink);border-color:transparent;text-decoration:underline;text-underline-offset:.3em}.goods button:hover{background:var(--tint)}
`,
  // Dense, like a market stall: coloured header, narrow cards with borders.
  market: `
.top{background:var(--brand);color:var(--on-brand);border:0}.to-basket b{background:var(--on-brand);color:var(--brand)}.top :focus-visible{outline-color:var(--on-brand)}
.departments a{border-bottom-width:3px}
.hero{display:grid;gap:1rem;align-items:center;background:var(--tint);border-radius:var(--radius);padding:1.5rem}.hero .collage{display:none}
.goods{gap:1rem}.goods li{border:1px solid color-mix(in srgb,var(--ink) 16%,transparent);border-radius:var(--radius);padding:.75rem}
@media(min-width:48rem){.hero{grid-template-columns:1.2fr 1fr;padding:2.25rem}.hero .collage{display:flex;justify-content:flex-end}.hero .collage img{width:32%;border-radius:var(--radius);margin-inline-start:-4%;border:4px solid var(--tint)}}
`,
  // Like a poster: one block of strong colour across the page.
  poster: `
.top .wrap{padding-block:1.1rem}.name{text-transform:uppercase;letter-spacing:.04em;font-size:1.15rem}
main{padding-top:0}.hero{background:var(--brand);color:var(--on-brand);width:100vw;margin-inline:calc(50% - 50vw);padding:clamp(2rem,6vw,4.5rem) max(1rem,calc(50vw - 36rem));display:grid;gap:1.5rem;overflow:hidden}
.hero p{color:inherit}.hero h1{font-weight:800;font-size:clamp(2.4rem,8vw,5rem);line-height:1}
.hero .collage{display:flex;gap:.75rem}.hero .collage img{width:30%;border-radius:var(--radius)}
.goods li{gap:.5rem}.goods button{background:var(--ink);border-color:var(--ink);color:var(--paper)}
@media(min-width:48rem){.hero{grid-template-columns:1.1fr 1fr;align-items:center}}
`,
  // Like a catalogue: thin lines, small text, pictures in a row.
  ledger: `
.top{border-bottom:3px double var(--ink)}.name{font-style:italic;font-weight:600}
.hero{border-bottom:1px solid var(--ink);padding-bottom:1.5rem;display:grid;gap:1.25rem}.hero h1{font-weight:400}
.hero .collage{display:flex;gap:0;border:1px solid var(--ink)}.hero .collage img{flex:1;min-width:0;width:33.4%}
.goods{gap:0;border-top:1px solid var(--ink);border-left:1px solid var(--ink)}.goods li{padding:.9rem;border-right:1px solid var(--ink);border-bottom:1px solid var(--ink)}.goods .picture{border-radius:0}
.shelf h2{font-style:italic;font-weight:400}button,.button{border-radius:0}
@media(min-width:48rem){.hero{grid-template-columns:1fr 1fr;align-items:end}}
@media(min-width:64rem){.goods{gap:0}}
`,
};
