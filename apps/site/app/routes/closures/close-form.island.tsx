import { needsPayee, type MoneyChoices } from "@farthing/core/closures/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { RadioField } from "@farthing/ui/forms/radio-field.tsx";
import { useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { PayeeFields, payeeLabels } from "./payee-fields.tsx";

/** What happens, what becomes of the money, and the question itself. */
function CloseForm({
  action,
  balances: { pendingPence, payablePence },
  cancelDays,
  name,
  cards,
  errors,
}: {
  action: string;
  balances: { pendingPence: number; payablePence: number };
  /** Gift cards that are not used. */
  cards: { cards: number; leftPence: number };
  cancelDays: number;
  name: string;
  errors: Record<string, string>;
}) {
  const hasMoney = pendingPence > 0 || payablePence > 0;
  const [choices, setChoices] = useState<MoneyChoices>({ pendingChoice: "wait", payableChoice: "pay-out" });
  const [hasScript, setHasScript] = useState(false);
  useEffect(() => {
    setHasScript(true);
    // Somebody may choose before the script has loaded, and browsers restore choices on Back.
    setChoices(chosenOnPage());
  }, []);
  const wanted = needsPayee(choices, { pendingPence, payablePence });
  return (
    <>
      <section aria-labelledby="what-happens">
        <h2 id="what-happens" className="display section-title">
          What happens
        </h2>
        <ol className="closing-steps">
          <li>You have {cancelDays} days to change your mind. Until then nothing is deleted, and everything works.</li>
          <li>{hasMoney ? "Then we pay what is yours, as you choose below." : "No money is waiting for you."}</li>
          <li>
            Then you are signed out everywhere, your digital ID stops working, and we delete who you are: name,
            addresses, proof, favourites, e-mails. You get a last e-mail.
          </li>
          <li>
            What stays for seven years, without your name, is what the law on accounts asks for: purchases, cashback and
            payments. Purchases that shops report after you have gone earn nothing any more.
          </li>
        </ol>
        <p>
          <a href="/profile/privacy">Download your data first</a> if you want to keep it. You can join again whenever
          you like, with the same address.
        </p>
      </section>
      <CheckedForm action={action} errors={errors} labels={payeeLabels} className="closing-form">
        <input type="hidden" name="intent" value="close" />
        {pendingPence > 0 && (
          <RadioField
            label={`${formatPence(pendingPence)} is not decided yet`}
            labelClassName="display section-title"
            className="closing-choice"
            name="pending"
            onChoose={(value) => setChoices({ ...choices, pendingChoice: value === "wait" ? "wait" : "give-up" })}
            choices={[
              {
                value: "wait",
                label: "Wait for it",
                help: "Your account stays open until the shops have decided. You can change your mind meanwhile.",
              },
              { value: "give-up", label: "Leave without it", help: "You give it up, whatever the shops decide." },
            ]}
          />
        )}
        {payablePence > 0 && (
          <RadioField
            label={`${formatPence(payablePence)} is yours`}
            labelClassName="display section-title"
            className="closing-choice"
            name="payable"
            onChoose={(value) => setChoices({ ...choices, payableChoice: value === "pay-out" ? "pay-out" : "give-up" })}
            choices={[
              { value: "pay-out", label: "Pay it to my bank account", help: "Before the account is closed." },
              { value: "give-up", label: "Leave it with the club", help: "You give it up." },
            ]}
          />
        )}
        {(wanted || !hasScript) && hasMoney && (
          <fieldset className="closing-payee">
            <legend className="display section-title">Where your money goes</legend>
            <p className="soft">
              {!hasScript && "Leave the numbers empty only if you give everything up. "}
              They are encrypted, and deleted 30 days after the payment.
            </p>
            <PayeeFields name={name} isRequired={hasScript} />
          </fieldset>
        )}
        {cards.cards > 0 && (
          <fieldset className="closing-payee">
            <legend className="display section-title">{formatPence(cards.leftPence)} on gift cards</legend>
            <p>
              After the account is closed nobody can show you the codes any more, our support included, and they are not
              in your data’s archive. <a href="/money/gift-cards">Use the cards, give them away, or print them first</a>
              .
            </p>
            <CheckboxField name="cards" label="My gift cards" required>
              I have printed or noted the codes that I still need.
            </CheckboxField>
          </fieldset>
        )}
        <CheckboxField name="sure" label="I am sure" required>
          Close my account. I know that it can’t be brought back afterwards.
        </CheckboxField>
        <p className="button-row">
          <LoadingButton>Close my account</LoadingButton>
          <a className="button is-quiet" href="/profile">
            Stay
          </a>
        </p>
      </CheckedForm>
    </>
  );
}

function chosenOnPage(): MoneyChoices {
  const isGivenUp = (name: string) =>
    document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value === "give-up";
  return {
    pendingChoice: isGivenUp("pending") ? "give-up" : "wait",
    payableChoice: isGivenUp("payable") ? "give-up" : "pay-out",
  };
}

export default island("close-form", CloseForm);
