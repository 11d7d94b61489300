/** A fault in the club's code: in `file`, `find` occurs once and becomes `replace`. */
export interface Fault {
  file: string;
  find: string;
  replace: string;
}

/** A rule of the money path, and a fault that breaks it. */
export interface Break {
  rule: string;
  fault: Fault;
  /** The pages keep the rule: their build has a copy of the code, in which the fault is planted too. */
  isInPages?: true;
}
