// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// The split contract is OpenZeppelin's, unchanged; this file only names what to compile.
import "@openzeppelin/contracts/finance/PaymentSplitter.sol";
