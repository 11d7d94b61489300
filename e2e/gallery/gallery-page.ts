import type { View } from "./views.ts";

export interface Picture {
  brand: string;
  view: string;
  width: number;
  /** Relative to the gallery's folder. */
  file: string;
  /** Problems of the page: errors in the console, content wider than the window. */
  problems: string[];
}

const style = `
  :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif }
  body { margin: 1rem }
  nav { position: sticky; top: 0; padding: .5rem 0; background: Canvas; z-index: 1 }
  nav label { margin-right: 1rem }
  section h2 { margin: 1.5rem 0 .5rem; font-size: 1rem }
  .row { display: flex; gap: .75rem; overflow-x: auto; padding-bottom: .5rem }
  figure { margin: 0; flex: none; width: 240px }
  figure img { display: block; width: 100%; height: 340px; object-fit: cover; object-position: top; border: 1px solid #8886; border-radius: 4px }
  figcaption { padding: .25rem 0 }
  .bad { color: #c00; font-weight: 600 }
  body:has(#w375:checked) figure:not([data-width="375"]), body:has(#w768:checked) figure:not([data-width="768"]),
  body:has(#w1024:checked) figure:not([data-width="1024"]), body:has(#w1440:checked) figure:not([data-width="1440"]) { display: none }
`;

/** Returns one page with every picture: a row for each view, the brands side by side, one width at a time or all. Needs no server and no script. */
export function galleryPage(gallery: {
  pictures: Picture[];
  brands: string[];
  views: readonly View[];
  widths: number[];
}): string {
  const { pictures, brands, views, widths } = gallery;
  const choices = ["all", ...widths].map(
    (width, index) =>
      `<label><input type="radio" name="width" id="w${width}"${index === (widths.length > 1 ? 1 : 0) ? " checked" : ""}> ${width}</label>`,
  );
  const rows = views.map((view) => {
    const shown = brands.flatMap((brand) =>
      pictures.filter((picture) => picture.view === view.name && picture.brand === brand).map(figure),
    );
    return `<section id="${view.name}"><h2>${view.name}</h2><div class="row">${shown.join("")}</div></section>`;
  });
  const links = views.map(({ name }) => `<a href="#${name}">${name}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${style}</style>
<nav>${choices.join("")}<br>${links.join(" · ")}</nav>${rows.join("\n")}</html>`;
}

function figure({ brand, width, file, problems }: Picture): string {
  const notes = problems.map((problem) => `<div class="bad">${escaped(problem)}</div>`).join("");
  return `<figure data-width="${width}"><a href="${file}"><img src="${file}" loading="lazy" alt=""></a><figcaption>${brand} ${width}${notes}</figcaption></figure>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
