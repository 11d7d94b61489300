/** The dialog's own words in one language. The card provider's form brings its own. */
export type Words = {
  /** The words' language, as a BCP 47 tag. */
  lang: string;
  title: string;
  /** The button, with {} for the amount. */
  pay: string;
  retry: string;
  processing: string;
  /** The card form did not load. Says nothing of money: an earlier attempt may have taken it. */
  notLoaded: string;
  /** The button that closes the dialog, where another attempt does not help. */
  close: string;
};

const english: Words = {
  lang: "en",
  title: "Payment",
  pay: "Pay {}",
  retry: "Try again",
  processing: "Processing payment",
  notLoaded: "The payment form did not load.",
  close: "Close",
};

/** By language: title, pay, retry, processing, notLoaded, close. */
const others: Record<string, string> = {
  cy: "Taliad|Talu {}|Ceisio eto|Prosesu’r taliad|Ni lwythodd y ffurflen dalu.|Cau",
  de: "Zahlung|{} zahlen|Erneut versuchen|Zahlung wird verarbeitet|Das Zahlungsformular wurde nicht geladen.|Schließen",
  es: "Pago|Pagar {}|Intentar de nuevo|Procesando el pago|El formulario de pago no se ha cargado.|Cerrar",
  fr: "Paiement|Payer {}|Réessayer|Paiement en cours|Le formulaire de paiement ne s’est pas chargé.|Fermer",
  it: "Pagamento|Paga {}|Riprova|Pagamento in corso|Il modulo di pagamento non si è caricato.|Chiudi",
  pl: "Płatność|Zapłać {}|Spróbuj ponownie|Przetwarzanie płatności|Formularz płatności nie został wczytany.|Zamknij",
  pt: "Pagamento|Pagar {}|Tentar de novo|A processar o pagamento|O formulário de pagamento não carregou.|Fechar",
  ro: "Plată|Plătește {}|Încearcă din nou|Se procesează plata|Formularul de plată nu s-a încărcat.|Închide",
};

/**
 * Returns the words for the property `locale`: those of its language, or English. "auto" is the browser's language, as it is for the card
 * provider's form.
 */
export function wordsFor(locale: string | undefined): Words {
  const wanted = locale === "auto" ? navigator.language : (locale ?? "");
  const lang = wanted.slice(0, 2).toLowerCase();
  if (!Object.hasOwn(others, lang) || /^[a-z]/i.test(wanted.slice(2))) return english;
  const [title, pay, retry, processing, notLoaded, close] = others[lang]!.split("|");
  return { lang, title, pay, retry, processing, notLoaded, close } as Words;
}
