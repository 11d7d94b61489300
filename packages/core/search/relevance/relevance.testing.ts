import type { Db } from "@farthing/db/client.ts";
import { searchCatalogue, suggest } from "../queries.server.ts";
import type { Question, Wanted } from "./questions.ts";

/** What was shown first, of each kind. */
interface Shown {
  shops: string[];
  categories: string[];
  /** "title, retailer" */
  offers: string[];
  didYouMean: string | null;
}

export interface Missed {
  kind: string;
  question: Question;
  shown: Shown;
}

/** Asks every question, and returns those whose answer is not the wanted one. */
export async function findMissed(
  db: Db,
  { brandId, now, questions }: { brandId: string; now: Date; questions: Record<string, Question[]> },
): Promise<Missed[]> {
  const missed: Missed[] = [];
  for (const [kind, asked] of Object.entries(questions)) {
    for (const question of asked) {
      const { retailers, categories, offers, didYouMean } = question.isTyping
        ? await suggest(db, { brandId, now, query: question.ask })
        : await searchCatalogue(db, { brandId, now, query: question.ask, sort: "relevance", page: 1 });
      const shown = {
        shops: retailers.map(({ name }) => name),
        categories: categories.map(({ name }) => name),
        offers: offers.map(({ title, retailer }) => `${title}, ${retailer.name}`),
        didYouMean,
      };
      if (!isWanted(shown, question.want)) missed.push({ kind, question, shown });
    }
  }
  return missed;
}

function isWanted(shown: Shown, want: Wanted): boolean {
  if ("nothing" in want) return shown.shops.length + shown.offers.length === 0;
  if ("asked" in want) return shown.offers.length === 0 && want.asked.test(shown.didYouMean ?? "");
  if ("shop" in want) return shown.shops.slice(0, want.within).includes(want.shop);
  if ("category" in want) return shown.categories.slice(0, want.within).includes(want.category);
  const first = shown.offers.slice(0, want.within);
  const fits = (text: string) => want.offer.test(text);
  return first.length > 0 && (want.all ? first.every(fits) : first.some(fits));
}

/** Returns a line that says what was asked, what was wanted, and what came first. */
export function describeMissed({ kind, question: { ask, want, isTyping }, shown }: Missed): string {
  const wanted = Object.entries(want)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
  const first = [shown.shops[0], shown.categories[0], shown.offers[0]].map((name) => name ?? "none").join(" | ");
  return `  ${kind}: "${ask}"${isTyping ? " (typing)" : ""} wants ${wanted}; shop, category, offer: ${first}`;
}
