import { useState } from "react";
import { IconContext } from "react-icons";
import { FaHeart, FaRegHeart } from "react-icons/fa";
import { MdAnchor } from "react-icons/md";

export default function ReactIcons() {
  const [liked, setLiked] = useState(false);
  return (
    <IconContext.Provider value={{ className: "icon", size: "2em" }}>
      <h1>react-icons</h1>
      <MdAnchor title="Anchor" />
      <button aria-pressed={liked} onClick={() => setLiked(!liked)}>
        {liked ? <FaHeart title="Liked" /> : <FaRegHeart title="Not liked" />}
      </button>
    </IconContext.Provider>
  );
}
