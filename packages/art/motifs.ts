import type { MarkPalette } from "./palettes.ts";
import type { Random } from "./random.ts";

/**
 * Small drawings of things that names mention: a fern, a lark, salt water. Each fills about 40 × 40 units around (32, 32) and varies with the retailer, so that
 * two retailers with the same motif differ.
 */
type Motif = (palette: MarkPalette, chance: Random) => string;

const circle = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

const leaf: Motif = ({ figure, accent }, chance) => {
  const pairs = chance.between(2, 3);
  const leaves = Array.from({ length: pairs }, (_, row) => {
    const y = 44 - row * 11;
    const reach = 15 - row * 2.5;
    return (
      path(`M32 ${y}q-${reach} 1 -${reach} -${reach}q${reach} -1 ${reach} ${reach}`, figure) +
      path(`M32 ${y}q${reach} 1 ${reach} -${reach}q-${reach} -1 -${reach} ${reach}`, row % 2 === 0 ? figure : accent)
    );
  });
  return line("M32 52V22", figure, 3) + leaves.join("") + circle(32, pairs === 2 ? 18 : 14, 4, accent);
};

const singleLeaf: Motif = ({ ground, figure, accent }, chance) => {
  const flip = chance.percent(50) ? ' transform="matrix(-1 0 0 1 64 0)"' : "";
  return `<g${flip}>${path("M14 50C10 26 24 12 50 14C52 40 38 54 14 50Z", figure)}${path("M14 50C12 30 26 22 50 14C38 26 30 40 14 50Z", accent)}${line("M14 50L38 26", ground, 2.5)}</g>`;
};

const bird: Motif = ({ ground, figure, accent }, chance) => {
  const flip = chance.percent(50) ? ' transform="matrix(-1 0 0 1 64 0)"' : "";
  const wing = chance.percent(50)
    ? path("M24 32a14 14 0 0 0 14 14V32Z", accent)
    : path("M22 30h18a14 14 0 0 1 -18 0Z", accent);
  return `<g${flip}>${path("M12 30h28v-6a8 8 0 0 1 16 0v4a22 22 0 0 1 -44 2Z", figure)}${path("M56 20l6 3l-6 3Z", accent)}${wing}${circle(48, 23, 2, ground)}${line("M32 50v6M38 49v7", figure, 2.5)}</g>`;
};

const wingBird: Motif = ({ figure, accent }, chance) => {
  const y = chance.between(27, 31);
  return (
    path(`M32 ${y + 16}C26 ${y} 18 ${y - 8} 6 ${y - 8}C14 ${y + 2} 18 ${y + 12} 32 ${y + 16}Z`, figure) +
    path(`M32 ${y + 16}C38 ${y} 46 ${y - 8} 58 ${y - 8}C50 ${y + 2} 46 ${y + 12} 32 ${y + 16}Z`, accent) +
    circle(32, y - 6, 5, figure)
  );
};

const waves: Motif = ({ figure, accent }, chance) => {
  const sun = chance.between(24, 40);
  const row = (y: number, colour: string) => line(`M10 ${y}q5.5 -7 11 0t11 0t11 0t11 0`, colour, 4.5);
  return circle(sun, 21, 8, accent) + row(35, figure) + row(44, figure) + row(53, accent);
};

const sail: Motif = ({ figure, accent }, chance) => {
  const lean = chance.between(-2, 3);
  return (
    path(`M${31 + lean} 10V44H12C20 36 27 26 ${31 + lean} 10Z`, figure) +
    path(`M${35 + lean} 16C42 26 48 34 52 44H${35 + lean}Z`, accent) +
    path("M10 48H54L47 56H17Z", figure)
  );
};

const hills: Motif = ({ figure, accent }, chance) => {
  const peak = chance.between(22, 42);
  return (
    circle(64 - peak, 20, 7, accent) +
    path(`M8 50L${peak - 6} 24L${peak + 8} 40L${peak + 16} 32L56 50Z`, figure) +
    path("M8 50Q22 40 34 46T56 44V54H8Z", accent)
  );
};

const flame: Motif = ({ figure, accent }, chance) => {
  const tip = chance.between(28, 36);
  return (
    path(`M${tip} 8C44 20 48 28 48 38A16 16 0 0 1 16 38C16 30 22 26 24 18C30 22 30 26 ${tip} 8Z`, figure) +
    path("M32 30C37 36 40 39 40 44A8 8 0 0 1 24 44C24 39 29 36 32 30Z", accent)
  );
};

const lantern: Motif = ({ ground, figure, accent }, chance) => {
  const rays = chance.percent(50) ? line("M10 32H4M54 32H60", accent, 3) : "";
  return (
    line("M24 16a8 8 0 0 1 16 0", figure, 3.5) +
    path("M20 18H44L48 46H16Z", figure) +
    path("M14 48H50V54H14Z", figure) +
    circle(32, 33, 7.5, accent) +
    circle(32, 33, 3, ground) +
    rays
  );
};

const moon: Motif = ({ figure, accent }, chance) => {
  const stars = [
    [46, 18],
    [50, 32],
    [42, 46],
  ].slice(0, chance.between(1, 3));
  return (
    path("M38 10A23 23 0 1 0 50 46A20 20 0 0 1 38 10Z", figure) +
    stars
      .map(([x, y]) => path(`M${x} ${y! - 6}l1.7 4.3l4.3 1.7l-4.3 1.7l-1.7 4.3l-1.7 -4.3l-4.3 -1.7l4.3 -1.7Z`, accent))
      .join("")
  );
};

const coins: Motif = ({ ground, figure, accent }, chance) => {
  const front = chance.percent(50) ? [26, 38] : [38, 38];
  return (
    circle(64 - front[0]!, 26, 15, accent) +
    circle(front[0]!, front[1]!, 17, figure) +
    circle(front[0]!, front[1]!, 11, ground) +
    circle(front[0]!, front[1]!, 7.5, figure)
  );
};

const quill: Motif = ({ ground, figure, accent }, chance) => {
  const flip = chance.percent(50) ? ' transform="matrix(-1 0 0 1 64 0)"' : "";
  return `<g${flip}>${path("M50 8C30 10 16 26 18 46C38 48 52 30 50 8Z", figure)}${path("M50 8C34 18 24 32 18 46C38 48 52 30 50 8Z", accent)}${line("M46 14L12 56", ground, 2)}${line("M18 46L11 57", figure, 3.5)}</g>`;
};

const grain: Motif = ({ figure, accent }, chance) => {
  const rows = chance.between(3, 4);
  const ears = Array.from({ length: rows }, (_, row) => {
    const y = 20 + row * 9;
    const colour = row % 2 === 0 ? figure : accent;
    return (
      path(`M31 ${y + 9}q-12 -1 -11 -12q11 1 11 12Z`, colour) + path(`M33 ${y + 9}q12 -1 11 -12q-11 1 -11 12Z`, colour)
    );
  });
  return line("M32 26V58", figure, 3) + ears.join("") + path("M32 20q-7 -6 0 -14q7 8 0 14Z", accent);
};

const stones: Motif = ({ figure, accent }, chance) => {
  const shift = chance.between(-3, 3);
  return `<ellipse cx="32" cy="47" rx="20" ry="7.5" fill="${figure}"/><ellipse cx="${32 + shift}" cy="33" rx="14" ry="6.5" fill="${accent}"/><ellipse cx="${32 - shift}" cy="21" rx="9" ry="5.5" fill="${figure}"/>`;
};

const weave: Motif = ({ figure, accent }, chance) => {
  const count = chance.between(3, 4);
  const step = count === 3 ? 14 : 11;
  const from = 32 - ((count - 1) * step) / 2;
  const at = Array.from({ length: count }, (_, index) => from + index * step);
  const width = count === 3 ? 8 : 6;
  const across = at.map((y) => line(`M11 ${y}H53`, accent, width)).join("");
  const down = at
    .map((x, column) =>
      at
        .map((y, row) => ((row + column) % 2 === 0 ? line(`M${x} ${y - step / 2}V${y + step / 2}`, figure, width) : ""))
        .join(""),
    )
    .join("");
  return across + down;
};

const fox: Motif = ({ ground, figure, accent }, chance) => {
  const low = chance.between(52, 56);
  return (
    path(`M10 12L26 22H38L54 12V32L32 ${low}L10 32Z`, figure) +
    path(`M10 32L24 36L32 ${low}Z`, accent) +
    path(`M54 32L40 36L32 ${low}Z`, accent) +
    circle(23, 30, 2.2, ground) +
    circle(41, 30, 2.2, ground)
  );
};

const flower: Motif = ({ figure, accent }, chance) => {
  const petals = chance.between(5, 8);
  const ring = Array.from(
    { length: petals },
    (_, index) =>
      `<ellipse cx="32" cy="19" rx="${petals > 6 ? 6 : 8}" ry="11" fill="${figure}" transform="rotate(${Math.round((360 / petals) * index)} 32 32)"/>`,
  );
  return ring.join("") + circle(32, 32, 7.5, accent);
};

const gate: Motif = ({ figure, accent }, chance) => {
  const bars = chance.between(3, 5);
  const gap = 32 / (bars + 1);
  const posts = Array.from({ length: bars }, (_, index) => line(`M${16 + gap * (index + 1)} 28V52`, accent, 3.5)).join(
    "",
  );
  return line("M16 54V30a16 16 0 0 1 32 0V54", figure, 5) + posts + line("M16 41H48", figure, 3.5);
};

/** Parts of a name's first word, and their motifs. The first match applies. */
const motifWords: readonly [pattern: RegExp, motifs: readonly Motif[]][] = [
  [/brook|glen/, [waves, hills]],
  [/lark|wren|finch|kestrel|rook|linnet|heron|jackdaw|goose|kite/, [bird, wingBird]],
  [/quill|wing|feather|ink/, [quill]],
  [/fox|otter|mole|hob/, [fox]],
  [/sail|harbour|ferry|quay/, [sail, waves]],
  [/salt|tarn|water|drift|silt|bluebottle/, [waves]],
  [/lantern|bright/, [lantern, flame]],
  [/candle|cinder|ember|amber|kindle|tallow/, [flame]],
  [/moon|night|zephyr/, [moon]],
  [/penny|copper|brass|silver|gilden|ivory/, [coins]],
  [/barley|oat|thatch|marrow/, [grain]],
  [/pebble|flint|stone|quiver/, [stones]],
  [/wicker|loom|ravel|knot|velvet|crate/, [weave]],
  [/violet|sorrel|teasel|yarrow|thistle|maison/, [flower]],
  [/fern|nettle|bramble|willow|juniper|orchard|apple|reed|mint|gorse|hazel|plum|elder|thorn/, [leaf, singleLeaf]],
  [/gate|lane|row/, [gate]],
  [/moor|dale|hollow|fold|moss/, [hills]],
];

/** Returns the motifs for a name; none where no part matches. */
export function motifsOf(slug: string): readonly Motif[] {
  return motifWords.find(([pattern]) => pattern.test(slug))?.[1] ?? [];
}
