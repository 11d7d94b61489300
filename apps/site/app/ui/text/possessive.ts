/** Returns a name as an owner: "Otterby’s", and "Fernhollow Boots’" where the name ends in s. */
export const possessive = (name: string): string => (/s$/i.test(name) ? `${name}’` : `${name}’s`);
