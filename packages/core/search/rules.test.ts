import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bestChoice,
  chooseTerms,
  describeCorrection,
  doubtfulTerm,
  essentialTerms,
  fewerTerms,
  isCommon,
  joinNeighbours,
  keepsAWord,
  nearWords,
  pairNeighbours,
  preferring,
  rarestTerms,
  slipsBetween,
  toTsquery,
  widenTerms,
  type KnownWord,
  type TypedWord,
} from "./rules.ts";
import { cleanQuery, QUERY_LENGTH, querySchema, searchSortSchema } from "./schema.ts";

const known = (word: string, occurrences = 1) => ({ word, lexeme: word, occurrences, isCommon: false });
const typed = (word: string, more: Partial<TypedWord> = {}): TypedWord => ({
  word,
  lexemes: [word],
  isKnown: false,
  isCommon: false,
  occurrences: 0,
  completions: [],
  neighbours: [],
  resembling: [],
  ...more,
});

test("D2 a common word alone is common, with another word it is not, and neither are rare words", () => {
  const common = typed("free", { isKnown: true, isCommon: true });
  const rare = typed("teapots", { isKnown: true });
  const unfinished = typed("fre", { completions: [known("fresh"), { ...known("free"), isCommon: true }] });
  const areCommon = (words: TypedWord[]) => isCommon(chooseTerms(words).terms);
  expect([[common], [unfinished], [rare], [common, rare], [common, common], []].map(areCommon)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

describe("D2 typos between words", () => {
  test("D2 a letter added, missing or changed, or two swapped, is one typo", () => {
    for (const slip of ["sofaas", "sfas", "sogas", "soafs", "ofas", "sofasx"])
      expect.soft([slip, slipsBetween("sofas", slip, 2)]).toEqual([slip, 1]);
    expect(slipsBetween("sofas", "sofas", 1)).toBe(0);
    expect(slipsBetween("sofas", "beds", 1)).toBe(2);
  });

  test("D2 any single typo in any word counts as one at most", () => {
    const word = fc.stringMatching(/^[a-z]{2,12}$/);
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.stringMatching(/^[a-z]$/),
        fc.constantFrom("drop", "add", "change", "swap"),
        (text, seed, letter, slip) => {
          const at = seed % (text.length - 1);
          const slipped = {
            drop: text.slice(0, at) + text.slice(at + 1),
            add: text.slice(0, at) + letter + text.slice(at),
            change: text.slice(0, at) + letter + text.slice(at + 1),
            swap: text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2),
          }[slip];
          return slipsBetween(text, slipped, 2) <= 1 && slipsBetween(slipped, text, 2) <= 1;
        },
      ),
    );
  });

  test("D2 near words with the same first letter come first, then the most common", () => {
    expect(
      nearWords("bokes", [
        known("tokes", 99),
        known("boxes", 5),
        known("bones", 50),
        known("books", 70),
        known("bikers", 9),
      ]).map(({ word }) => word),
    ).toEqual(["bones", "boxes", "tokes"]);
  });
});

describe("D2 the words to search for", () => {
  test("D2 a number is never corrected into another: it is left out, and with words that find nothing it is not needed", () => {
    const laptop = typed("laptop", { isKnown: true });
    const price = typed("500", { neighbours: [known("300"), known("50")] });
    expect(chooseTerms([laptop, price])).toMatchObject({ dropped: true, terms: [{ typed: "laptop" }] });
    const named = { ...price, isKnown: true };
    expect(toTsquery(widenTerms([laptop, named]))).toBe("('laptop') & ('500')");
    expect(essentialTerms(chooseTerms([laptop, named]).terms).map((term) => term.typed)).toEqual(["laptop"]);
    expect(chooseTerms([typed("3xl", { neighbours: [known("2xl")] })]).terms).toEqual([]);
  });

  test.each([
    ["m", "3"],
    ["h", "2"],
    ["ee", "fee"],
    ["nike", "bike"],
    ["tk", "tv"],
    ["dad", "add"],
  ])("D2 %s is no typo of %s", (word, near) => {
    expect(chooseTerms([typed(word, { neighbours: [known(near, 500)] })]).terms).toEqual([]);
  });

  test("D2 a short guess does not stand for a name of which a word is unknown", () => {
    const john = typed("john", { neighbours: [known("join", 90)] });
    expect(chooseTerms([john, typed("lewis")])).toEqual({ terms: [], dropped: true });
    expect(toTsquery(chooseTerms([john]).terms)).toBe("('join')");
    const trainers = typed("trainrs", { neighbours: [known("trainers", 90)] });
    expect(toTsquery(chooseTerms([trainers, typed("xyzzy")]).terms)).toBe("('trainers')");
  });

  test("D2 a typo is compared with a word as it is written and with its singular", () => {
    const laptops: KnownWord = { ...known("laptops", 16), lexeme: "laptop", singular: "laptop" };
    for (const slip of ["laptp", "latop", "lpatop", "laptpos", "laptos"]) {
      const { terms, dropped } = chooseTerms([typed(slip, { neighbours: [laptops] })]);
      expect.soft([slip, toTsquery(terms)]).toEqual([slip, "('laptop')"]);
      expect(describeCorrection(terms, { dropped, found: new Set(["laptop"]) })).toBe("laptops");
    }
    expect(chooseTerms([typed("laptp", { neighbours: [{ ...laptops, singular: null }] })]).terms).toEqual([]);
    expect(nearWords("laptop", [laptops])).toEqual([]);
  });

  test.each([
    ["nike", "nine"],
    ["puma", "pump"],
    ["sky", "say"],
    ["hotl", "hotel"],
    ["argos", "cargos"],
  ])("D2 a single %s is not searched for as %s, but asked about", (word, near) => {
    const one = typed(word, { neighbours: [known(near, 500)] });
    expect(doubtfulTerm([one])).toMatchObject({ typed: word, alternatives: [{ word: near }] });
    // Beside another word, that one decides.
    expect(doubtfulTerm([one, typed("shoes", { isKnown: true })])).toBeNull();
  });

  test.each([
    ["sofq", "sofa"],
    ["sfoa", "sofa"],
    ["bok", "book"],
    ["boook", "book"],
    ["sofas", "sofa"],
    ["jaket", "jacket"],
    ["wofas", "sofas"],
  ])("D2 a single %s is searched for as %s", (word, near) => {
    const one = typed(word, { neighbours: [known(near), known(`${word[0]}zzz`, 500)] });
    expect(doubtfulTerm([one])).toBeNull();
    expect(toTsquery(chooseTerms([one]).terms)).toBe(`('${near}')`);
  });

  test("D2 a number or a word about saving beside a doubtful word changes nothing, whether it is known or not", () => {
    const nike = typed("nike", { neighbours: [known("nine", 500)] });
    const [voucher, code, price] = [typed("voucher", { isKnown: true }), typed("code"), typed("50", { isKnown: true })];
    for (const words of [
      [nike, voucher],
      [nike, voucher, code],
      [price, nike],
    ])
      expect.soft(doubtfulTerm(words)).toMatchObject({ typed: "nike", alternatives: [{ word: "nine" }] });
    const bok = typed("bok", { neighbours: [known("box", 140), known("book", 3)] });
    expect(toTsquery(chooseTerms([bok, voucher]).terms)).toBe("('book') & ('voucher')");
    // Alone, a word about saving is asked about as any other.
    expect(doubtfulTerm([typed("code", { neighbours: [known("coke")] })])).toMatchObject({ typed: "code" });
  });

  test("D2 every word that a doubtful one may mean is kept, however common the first is", () => {
    const one = typed("nike", { neighbours: [known("nine", 3_000), known("bike", 900), known("nice", 2)] });
    expect(doubtfulTerm([one])?.alternatives.map(({ word }) => word)).toEqual(["nine", "nice"]);
  });

  test("D2 a short word is not corrected to a doubtful word beside one that the keys explain", () => {
    const neighbours = [known("box", 140), known("book", 3)];
    expect(toTsquery(chooseTerms([typed("bok", { neighbours })]).terms)).toBe("('book')");
  });

  test("D2 letters that changed places are put back before anything else is tried", () => {
    const neighbours = [known("sheds", 90), known("shoes", 10)];
    expect(toTsquery(chooseTerms([typed("sheos", { neighbours })]).terms)).toBe("('shoes')");
    expect(toTsquery(chooseTerms([typed("shues", { neighbours })]).terms)).toBe("('shoes')");
  });

  test("D2 neighbours are tried as one word where either would be corrected or left out", () => {
    const broad = typed("broad", { neighbours: [known("bread")] });
    const band = typed("band", { isKnown: true });
    expect(joinNeighbours([broad, band])).toEqual(["broadband"]);
    expect(joinNeighbours([typed("zzz"), band])).toEqual(["zzzband"]);
    expect(joinNeighbours([{ ...broad, isKnown: true }, band])).toEqual([]);
  });

  test("D2 stop words are skipped unless nothing else was typed", () => {
    const the = typed("the", { lexemes: [], completions: [known("theatre")] });
    const sofas = typed("sofas", { isKnown: true, lexemes: ["sofa"] });
    expect(toTsquery(chooseTerms([the, sofas]).terms)).toBe("('sofa')");
    expect(toTsquery(chooseTerms([the]).terms)).toBe("('theatre')");
  });

  test("D2 a word without similar words is dropped and reported", () => {
    expect(chooseTerms([typed("zzzz"), typed("sofas", { isKnown: true })])).toMatchObject({
      dropped: true,
      terms: [{ typed: "sofas" }],
    });
    expect(toTsquery(chooseTerms([typed("zzzz")]).terms)).toBeNull();
  });

  test("D2 one very common completion of an unfinished word is enough", () => {
    const words = (completions: KnownWord[]) =>
      chooseTerms([typed("f", { completions })]).terms[0]?.alternatives.map(({ word }) => word);
    expect(words([known("free", 14_000), known("first", 9_000), known("fern", 60)])).toEqual(["free"]);
    expect(words([known("fern", 60), known("ferry", 50)])).toEqual(["fern", "ferry"]);
  });

  test("D2 of three or more words the two rarest are asked of the index, if one is rare", () => {
    const rarest = (...counts: number[]) => {
      const words = counts.map((occurrences, index) => typed(`word${index}`, { isKnown: true, occurrences }));
      return rarestTerms(chooseTerms(words).terms)?.map(({ typed: word }) => word) ?? null;
    };
    expect(rarest(14_000, 300, 9_000, 40)).toEqual(["word3", "word1"]);
    expect(rarest(14_000, 9_000, 2_000)).toBeNull();
    expect(rarest(14_000, 40)).toBeNull();
    const guessed = typed("bok", { completions: [known("books", 900), known("bokmal", 200)] });
    const [free, day] = [
      typed("free", { isKnown: true, occurrences: 5_000 }),
      typed("day", { isKnown: true, occurrences: 1_000 }),
    ];
    // A guessed word has as many documents as all that it may mean.
    expect(rarestTerms(chooseTerms([free, day, guessed]).terms)?.map(({ typed: word }) => word)).toEqual([
      "day",
      "bok",
    ]);
  });

  test("D2 operators in a lexeme are quoted", () => {
    expect(
      toTsquery([{ typed: "x", corrects: false, alternatives: [{ ...known("x"), lexeme: "a'b\\c & !d:*" }] }], "A"),
    ).toBe("('a''b\\\\c & !d:*':A)");
  });

  test("D2 the correction that was found is named", () => {
    const { terms, dropped } = chooseTerms([
      typed("boks", { neighbours: [known("books", 5), known("boots", 9)] }),
      typed("walking", { isKnown: true }),
    ]);
    expect(describeCorrection(terms, { dropped, found: new Set(["books"]) })).toBe("books walking");
  });
});

describe("D2 the query's text", () => {
  test("D2 the query is trimmed, cut to 200 characters and well-formed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (raw) => {
        const query = cleanQuery(raw);
        return (
          [...query].length <= QUERY_LENGTH &&
          query.isWellFormed() &&
          query === query.trim() &&
          !/[\p{Cc}\u202A-\u202E]/u.test(query) &&
          cleanQuery(query) === query
        );
      }),
    );
  });

  test("D2 the query keeps what people type, including emoji with joiners", () => {
    expect(cleanQuery("  O’Hara's   <b>café</b> 👩‍👧 ")).toBe("O’Hara's <b>café</b> 👩‍👧");
    for (const none of [undefined, null, 7, {}, ["a"]]) expect(querySchema.parse(none)).toBe("");
  });

  test("D5 an invalid sort becomes relevance", () => {
    for (const bad of [undefined, "", "price", ["popular"]]) expect(searchSortSchema.parse(bad)).toBe("relevance");
  });
});

describe("D2 fewer words", () => {
  const terms = (text: string) => chooseTerms(text.split(" ").map((word) => typed(word, { isKnown: true }))).terms;
  const choices = (text: string) => fewerTerms(terms(text)).map((choice) => choice.map((term) => term.typed).join(" "));

  test("D2 words about saving are left out first, then one word at a time, then all but one", () => {
    expect(choices("boots")).toEqual([]);
    expect(choices("boots code")).toEqual(["boots"]);
    expect(choices("walking boots")).toEqual(["walking", "boots"]);
    expect(choices("red walking boots code")).toEqual([
      "red walking boots",
      "walking boots",
      "red boots",
      "red walking",
      "red",
      "walking",
      "boots",
    ]);
  });

  test("D2 the number of choices is bounded for any text", () => {
    for (let words = 1; words <= 12; words += 1)
      expect(choices(Array.from({ length: words }, (_, index) => `word${index}`).join(" ")).length).toBeLessThanOrEqual(
        13,
      );
  });

  test("D2 guessed words are never searched for without the others", () => {
    const guessed = chooseTerms([typed("wlaking", { neighbours: [known("walking")] })]).terms;
    expect(fewerTerms(guessed)).toEqual([]);
  });

  test.each([
    ["mens boots", [200, 32], "boots"],
    ["shirt women", [18, 200], "shirt"],
    ["laptop case", [21, 17], "laptop"],
    ["wedding ring", [3, 3], "ring"],
    ["womens walking boots", [5, 9, 9, 200, 80, 32], "walking boots"],
    ["red walking boots", [0, 0, 0, 4, 5, 32], "boots"],
    ["red walking boots", [7, 7, 0, 4, 5, 32], "walking boots"],
    ["walking ring", [0, 0], null],
  ])("D2 of %j with %j offers %j is kept", (text, counts, kept) => {
    const best = bestChoice(fewerTerms(terms(text)), counts);
    expect(best && best.map((term) => term.typed).join(" ")).toBe(kept);
  });

  test("D2 what was left out counts for the order and finds nothing by itself", () => {
    const [women, shoes] = terms("women shoes");
    expect(preferring(toTsquery([shoes!])!, [women!])).toBe("('shoes') | (('shoes') & ('women'))");
    expect(preferring("('shoes')", [])).toBe("('shoes')");
  });

  test("D2 neighbours are joined, and words that all became others are not an answer", () => {
    expect(pairNeighbours([typed("hot"), typed("take"), typed("away")])).toEqual(["hottake", "takeaway"]);
    const wide = widenTerms([
      typed("mens", { isKnown: true, neighbours: [known("menu")] }),
      typed("watch", { isKnown: true, neighbours: [known("match")] }),
    ]);
    expect(keepsAWord(wide, new Set(["menu", "match"]))).toBe(false);
    expect(keepsAWord(wide, new Set(["menu", "watch"]))).toBe(true);
    expect(keepsAWord(wide.slice(0, 1), new Set(["menu"]))).toBe(true);
  });

  test("D2 where a word is lost, what is left is not corrected too, and a word of another English never is", () => {
    const lost = [typed("lawn"), typed("mower", { neighbours: [known("lower")] })];
    expect(chooseTerms([typed("lawn"), typed("mowre", { neighbours: [known("lower")] })]).terms).toEqual([]);
    expect(chooseTerms(lost).terms).toEqual([]);
    expect(chooseTerms([typed("cookies", { neighbours: [known("cookers")] })]).terms).toEqual([]);
    expect(chooseTerms([typed("boots", { isKnown: true }), typed("mower")]).terms).toHaveLength(1);
    const saving = [typed("discount", { isKnown: true }), typed("20", { isKnown: true })];
    expect(chooseTerms([typed("asda"), ...saving])).toEqual({ terms: [], dropped: true });
    expect(chooseTerms(saving).terms).toHaveLength(2);
  });
});
