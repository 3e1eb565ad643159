export default function Thrower(): never {
  throw new Error("the part of browsers threw");
}
