/**
 * Plain text with its line breaks as markup: an empty line begins a paragraph, and lines that begin with a dash are
 * a list.
 */
export function Paragraphs({ text }: { text: string }) {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block, index) => {
      const lines = block.split("\n").map((line) => line.trim());
      if (!lines.every((line) => /^[-•*] /.test(line))) return <p key={index}>{block}</p>;
      return (
        <ul key={index} className="dashes">
          {lines.map((line) => (
            <li key={line}>{line.slice(2)}</li>
          ))}
        </ul>
      );
    });
}
