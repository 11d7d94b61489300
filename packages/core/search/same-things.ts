/**
 * Other words for the same thing (D2): what people type, and the word of the catalogue that they mean. A pair holds only while no text of the catalogue has
 * the first word and some text has the second. Single words, in lower case and without accents.
 */
export const sameThings: readonly (readonly [said: string, meant: string])[] = [
  ["couch", "sofa"],
  ["couches", "sofa"],
  ["settee", "sofa"],
  ["settees", "sofa"],
  ["hoover", "vacuum"],
  ["hoovers", "vacuum"],
  ["specs", "glasses"],
  ["spectacles", "glasses"],
  ["telly", "television"],
  ["refrigerator", "fridge"],
  ["sneakers", "trainers"],
  ["cellphone", "phone"],
  ["smartphone", "phone"],
  ["smartphones", "phone"],
  ["bicycle", "bikes"],
  ["bicycles", "bikes"],
  ["wellingtons", "wellies"],
  ["wellington", "wellies"],
  ["pram", "pushchair"],
  ["prams", "pushchair"],
  ["buggy", "pushchair"],
  ["stroller", "pushchair"],
  ["vacation", "holiday"],
  ["vacations", "holiday"],
  ["movie", "film"],
  ["movies", "film"],
];
