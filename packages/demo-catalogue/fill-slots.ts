/** Puts words into a sentence's slots: "{pct}% off {Thing}". @throws Error for a slot that has no word, so that none reaches a page. */
export function fillSlots(sentence: string, words: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const word = words[slot] ?? words[slot.charAt(0).toLowerCase() + slot.slice(1)];
    if (word === undefined) throw new Error(`Nothing for {${slot}} in "${sentence}"`);
    return slot.charAt(0) === slot.charAt(0).toLowerCase() ? word : capitalised(word);
  });
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
