import { exampleInWords, inviterTerms, type ProgrammeTerms } from "@farthing/core/invitations/terms.ts";

/** The terms of a programme in words, with an example in pounds. */
export function ProgrammeTermsSection({ programme }: { programme: ProgrammeTerms }) {
  return (
    <section aria-labelledby="terms">
      <h2 id="terms" className="display section-title">
        What has to happen
      </h2>
      <ol className="friends-terms">
        {inviterTerms(programme).map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ol>
      <p className="friends-example">{exampleInWords(programme)}</p>
    </section>
  );
}
