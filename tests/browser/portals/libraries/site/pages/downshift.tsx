import { useState } from "react";
import { useCombobox } from "downshift";

const fruits = ["Apple", "Pear", "Quince"];

export default function Downshift() {
  const [items, setItems] = useState(fruits);
  const { isOpen, selectedItem, getInputProps, getItemProps, getLabelProps, getMenuProps } = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) =>
      setItems(fruits.filter((fruit) => fruit.toLowerCase().includes(inputValue.toLowerCase()))),
  });
  return (
    <>
      <h1>Downshift</h1>
      <label {...getLabelProps()}>Fruit</label>
      <input {...getInputProps()} />
      <ul {...getMenuProps()}>
        {isOpen &&
          items.map((item, index) => (
            <li key={item} {...getItemProps({ item, index })}>
              {item}
            </li>
          ))}
      </ul>
      <output>{selectedItem}</output>
    </>
  );
}
