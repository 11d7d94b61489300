/** What may be a work e-mail domain: a mailbox there proves that its owner works there, so nobody else may get one. */

/** Lower case, two labels or more, each of at most 63 characters (RFC 1035); other scripts in Punycode (RFC 5890). */
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

export function isDomain(text: string): boolean {
  return text.length <= 253 && DOMAIN.test(text) && !/^[\d.]+$/.test(text);
}

/** Providers with a mailbox for anyone: the large ones, and those of British households. */
const publicMailboxes = [
  ...[
    "gmail.com",
    "googlemail.com",
    "outlook.com",
    "hotmail.com",
    "hotmail.co.uk",
    "live.com",
    "live.co.uk",
    "msn.com",
  ],
  ...["yahoo.com", "yahoo.co.uk", "ymail.com", "icloud.com", "me.com", "mac.com", "aol.com", "aol.co.uk"],
  ...["gmx.com", "gmx.co.uk", "mail.com", "proton.me", "protonmail.com", "pm.me", "zoho.com", "fastmail.com"],
  ...[
    "btinternet.com",
    "sky.com",
    "virginmedia.com",
    "talktalk.net",
    "ntlworld.com",
    "blueyonder.co.uk",
    "tiscali.co.uk",
  ],
];

/** Endings under which anyone can register a name, and so make mailboxes. Those of ac.uk, gov.uk and nhs.uk are not for anyone. */
const openEndings = ["co.uk", "org.uk", "me.uk", "ltd.uk", "plc.uk", "net.uk", "uk.com", "gb.com", "eu.com"];

/** Returns why a domain proves nothing, in words; null if it may. */
export function domainRefusal(domain: string): string | null {
  const provider = publicMailboxes.find((each) => domain === each || domain.endsWith(`.${each}`));
  if (provider !== undefined) return `Anyone can have a mailbox at ${provider}, so it proves nothing.`;
  if (openEndings.includes(domain)) return `Anyone can register a name under ${domain}, so it proves nothing.`;
  return null;
}
