/** Fills the slots of a sentence such as "{pct}% off {Thing}". @throws Error for a slot without a word, so that no slot reaches a page. */
export function fillSlots(sentence: string, words: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const word = words[slot] ?? words[slot.charAt(0).toLowerCase() + slot.slice(1)];
    if (word === undefined) throw new Error(`There is no word for {${slot}} in "${sentence}".`);
    return slot.charAt(0) === slot.charAt(0).toLowerCase() ? word : capitalised(word);
  });
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
