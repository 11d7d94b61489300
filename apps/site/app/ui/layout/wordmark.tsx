/** The brand's name as its theme draws it: symbol, font, case and weight are tokens. */
export function Wordmark({ name }: { name: string }) {
  return (
    <a href="/" className={name.length > 22 ? "wordmark is-long" : "wordmark"}>
      {name}
    </a>
  );
}
