// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// The split contract is OpenZeppelin's, unchanged. This file only imports it for the compiler.
import "@openzeppelin/contracts/finance/PaymentSplitter.sol";
