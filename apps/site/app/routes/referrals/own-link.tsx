import type { ProgrammeTerms } from "@farthing/core/invitations/terms.ts";
import { offerInWords } from "@farthing/core/invitations/terms.ts";
import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";

/** A member's link, with the ways to hand it on. Without script it can be selected, and sent by e-mail. */
export function OwnLink({
  action,
  link,
  programme,
  showsFirstName,
  brandName,
}: {
  action: string;
  link: string;
  programme: ProgrammeTerms;
  showsFirstName: boolean;
  brandName: string;
}) {
  const subject = `Join me at ${brandName}`;
  const mail = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${subject}: ${link}`)}`;
  return (
    <section className="own-link" aria-labelledby="own-link-title">
      <h2 id="own-link-title" className="display section-title">
        Your link
      </h2>
      <p className="friends-offer">{offerInWords(programme)}</p>
      <p className="own-link-address" id="own-link" tabIndex={-1}>
        {link}
      </p>
      <div className="button-row">
        <CopyButton target="own-link" what="link" />
        <button type="button" className="button is-quiet" data-shares={link} data-title={subject} hidden>
          Share
        </button>
        <a className="button is-quiet" href={mail}>
          Send by e-mail
        </a>
      </div>
      <form method="post" action={action} className="own-link-form">
        <input type="hidden" name="intent" value="name" />
        <label className="own-link-choice">
          <input type="checkbox" name="shows_first_name" defaultChecked={showsFirstName} />
          <span>
            Show my first name to people who open the link
            <small className="soft">Otherwise they read “A member of {brandName}”.</small>
          </span>
        </label>
        <button type="submit" className="button is-quiet">
          Save
        </button>
      </form>
      <form method="post" action={action} className="own-link-form">
        <input type="hidden" name="intent" value="new-link" />
        <p className="soft">Does somebody have the link who should not? Replace it; the old one ends at once.</p>
        <button type="submit" className="button is-quiet">
          Replace my link
        </button>
      </form>
    </section>
  );
}
