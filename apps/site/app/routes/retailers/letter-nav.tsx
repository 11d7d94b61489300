import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { allLetters, letterName } from "./letters.ts";

/**
 * The letters of the A to Z. Where the page has all shops, they jump to their place in it; else they lead to the
 * letter's own page. Letters without a shop keep the shape of the row and lead nowhere.
 */
export function LetterNav({
  letters,
  letter,
  parameters,
  isWhole,
}: {
  letters: readonly { letter: string; retailers: number }[];
  letter: string | null;
  parameters: ListParameters;
  isWhole: boolean;
}) {
  const counts = new Map(letters.map((row) => [row.letter, row.retailers]));
  return (
    <nav className="letters" aria-label="Letters">
      <ul role="list">
        {!isWhole && (
          <li>
            <a
              href={listPath("/retailers", parameters, { letter: null })}
              aria-current={letter === null ? "page" : undefined}
            >
              All
            </a>
          </li>
        )}
        {allLetters.map((name) => (
          <li key={name}>
            {counts.has(name) ? (
              <a
                href={isWhole ? `#letter-${name}` : listPath("/retailers", parameters, { letter: name })}
                aria-current={name === letter ? "page" : undefined}
              >
                {letterName(name)}
                <span className="visually-hidden">, {counts.get(name)}</span>
              </a>
            ) : (
              <span className="letters-none" role="link" aria-disabled="true">
                {letterName(name)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
