import { useState } from "react";
import "swiper/css";
import "swiper/css/navigation";
import { Navigation } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";

export default function SwiperPage() {
  const [index, setIndex] = useState(0);
  return (
    <>
      <h1>Swiper</h1>
      <Swiper modules={[Navigation]} navigation speed={20} onSlideChange={(swiper) => setIndex(swiper.activeIndex)}>
        {["One", "Two", "Three"].map((name) => (
          <SwiperSlide key={name}>{name}</SwiperSlide>
        ))}
      </Swiper>
      <output>{index}</output>
    </>
  );
}
