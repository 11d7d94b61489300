import { needsPayee, type MoneyChoices } from "@farthing/core/closures/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { CheckboxField } from "@farthing/ui/forms/checkbox-field.tsx";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { RadioField } from "@farthing/ui/forms/radio-field.tsx";
import { useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { PayeeFields, payeeLabels, type TypedPayee } from "./payee-fields.tsx";

/** What happens, what becomes of the money, and the question itself. */
function CloseForm({
  action,
  balances: { pendingPence, payablePence },
  cancelDays,
  values,
  chosen,
  savedEnding,
  cards,
  errors,
}: {
  action: string;
  balances: { pendingPence: number; payablePence: number };
  /** Gift cards that are not used. */
  cards: { cards: number; leftPence: number };
  cancelDays: number;
  values: TypedPayee;
  /** What was chosen before, where the server has refused it. */
  chosen: (MoneyChoices & { isOther: boolean }) | null;
  /** The last digits of the account that the member's money goes to now; null if there is none. */
  savedEnding: string | null;
  errors: Record<string, string>;
}) {
  const hasMoney = pendingPence > 0 || payablePence > 0;
  const [choices, setChoices] = useState<MoneyChoices>(chosen ?? { pendingChoice: "wait", payableChoice: "pay-out" });
  const [isOther, setIsOther] = useState(savedEnding === null || (chosen?.isOther ?? false));
  const [hasScript, setHasScript] = useState(false);
  useEffect(() => {
    setHasScript(true);
    // Somebody may choose before the script has loaded, and browsers restore choices on Back.
    setChoices(chosenOnPage());
    setIsOther(savedEnding === null || isChosen("account", "other"));
  }, [savedEnding]);
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
            defaultValue={chosen?.pendingChoice}
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
            defaultValue={chosen?.payableChoice}
            onChoose={(value) => setChoices({ ...choices, payableChoice: value === "pay-out" ? "pay-out" : "give-up" })}
            choices={[
              { value: "pay-out", label: "Pay it to my bank account", help: "Before the account is closed." },
              { value: "give-up", label: "Leave it with the club", help: "You give it up." },
            ]}
          />
        )}
        {(wanted || !hasScript) && hasMoney && (
          <>
            {savedEnding !== null && (
              <>
                <input type="hidden" name="account_ending" value={savedEnding} />
                <RadioField
                  label="Where your money goes"
                  labelClassName="display section-title"
                  className="closing-choice"
                  name="account"
                  defaultValue={chosen?.isOther ? "other" : "saved"}
                  error={errors["account"]}
                  onChoose={(value) => setIsOther(value === "other")}
                  choices={[
                    {
                      value: "saved",
                      label: `My account ending in ${savedEnding}`,
                      help: "Where your withdrawals go.",
                    },
                    { value: "other", label: "Another account" },
                  ]}
                />
              </>
            )}
            {(isOther || !hasScript) && (
              <fieldset className="closing-payee">
                <legend className="display section-title">
                  {savedEnding === null ? "Where your money goes" : "The other account"}
                </legend>
                <p className="soft">
                  {!hasScript &&
                    (savedEnding === null
                      ? "Leave the numbers empty only if you give everything up. "
                      : "Leave the numbers empty unless you choose another account. ")}
                  These details are encrypted, and deleted 30 days after the payment.
                </p>
                <PayeeFields values={values} isRequired={hasScript} />
              </fieldset>
            )}
          </>
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
  return {
    pendingChoice: isChosen("pending", "give-up") ? "give-up" : "wait",
    payableChoice: isChosen("payable", "give-up") ? "give-up" : "pay-out",
  };
}

function isChosen(name: string, value: string): boolean {
  return document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value === value;
}

export default island("close-form", CloseForm);
