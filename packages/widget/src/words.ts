/** The dialog's own words in one language. The card provider's form brings its own. */
export type Words = {
  /** The words' language, as a BCP 47 tag. */
  lang: string;
  title: string;
  /** The button, with {} for the amount. */
  pay: string;
  retry: string;
  processing: string;
  /** The card form did not load. */
  notStarted: string;
  /** The button that closes the dialog, where another attempt does not help. */
  close: string;
};

const english: Words = {
  lang: "en",
  title: "Payment",
  pay: "Pay {}",
  retry: "Try again",
  processing: "Processing payment",
  notStarted: "The payment could not start and nothing was charged.",
  close: "Close",
};

/** By language: title, pay, retry, processing, notStarted, close. */
const others: Record<string, string> = {
  cy: "Taliad|Talu {}|Ceisio eto|Prosesu’r taliad|Ni ellid dechrau’r taliad ac ni chodwyd dim.|Cau",
  de: "Zahlung|{} zahlen|Erneut versuchen|Zahlung wird verarbeitet|Die Zahlung konnte nicht beginnen und nichts wurde abgebucht.|Schließen",
  es: "Pago|Pagar {}|Intentar de nuevo|Procesando el pago|El pago no pudo comenzar y no se ha cobrado nada.|Cerrar",
  fr: "Paiement|Payer {}|Réessayer|Paiement en cours|Le paiement n’a pas pu commencer et rien n’a été débité.|Fermer",
  it: "Pagamento|Paga {}|Riprova|Pagamento in corso|Il pagamento non è iniziato e nulla è stato addebitato.|Chiudi",
  pl: "Płatność|Zapłać {}|Spróbuj ponownie|Przetwarzanie płatności|Nie udało się rozpocząć płatności i nic nie pobrano.|Zamknij",
  pt: "Pagamento|Pagar {}|Tentar de novo|A processar o pagamento|O pagamento não pôde começar e nada foi cobrado.|Fechar",
  ro: "Plată|Plătește {}|Încearcă din nou|Se procesează plata|Plata nu a putut începe și nu s-a încasat nimic.|Închide",
};

/**
 * Returns the words for the property `locale`: those of its language, or English. "auto" is the browser's language, as it is for the card
 * provider's form.
 */
export function wordsFor(locale: string | undefined): Words {
  const wanted = locale === "auto" ? navigator.language : (locale ?? "");
  const lang = wanted.slice(0, 2).toLowerCase();
  if (!Object.hasOwn(others, lang) || /^[a-z]/i.test(wanted.slice(2))) return english;
  const [title, pay, retry, processing, notStarted, close] = others[lang]!.split("|");
  return { lang, title, pay, retry, processing, notStarted, close } as Words;
}
