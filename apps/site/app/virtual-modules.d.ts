declare module "virtual:common-passwords" {
  /** The list as browserWordList() packs it. */
  const packed: string;
  export default packed;
}
