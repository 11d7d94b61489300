import { afterPaint } from "./page-script.tsx";

/** Wider windows have the theme's faces in its stylesheet, as the themes say (themes/<theme>.css). */
export const NARROW = "(width < 768px)";

/**
 * A script for the head that loads the theme's faces in narrow windows (docs/decisions/057-faces-after-the-first-paint-on-phones.md): after the first paint of
 * the first page, and at once on later pages, because the browser has them by then. A wide window that becomes narrow loads them then. On the first page, all
 * faces take effect together, so that the page is laid out once more and not once for each. `data-faces` on <html> is the stylesheet's address, and the
 * faces are those of the head's preloads. The text is the same on every page.
 */
export const LOAD_FACES = `(()=>{const d=document,narrow=matchMedia("${NARROW}"),\
load=(media)=>{const sheet=Object.assign(d.createElement("link"),{rel:"stylesheet",href:d.documentElement.dataset.faces,media});d.head.append(sheet);return sheet},\
loadAll=()=>{const sheet=load("not all");\
Promise.all([sheet,...[...d.head.children].filter((one)=>one.as==="font")].map((link)=>new Promise((done)=>{link.onload=link.onerror=done;if(link!==sheet)link.media="all"}))).then(()=>{sheet.media="all"})};\
if(!narrow.matches)narrow.addEventListener("change",()=>load("all"),{once:true});\
else if(d.referrer.startsWith(location.origin+"/"))load("all");\
else ${afterPaint("loadAll()")}})()`;
